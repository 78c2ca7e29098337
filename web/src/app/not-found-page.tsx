import { Link } from "wouter";
import { Notice } from "../components/notice.tsx";
import { useMessages } from "./preferences.tsx";
import { useScope } from "./use-scope.ts";

export function NotFoundPage() {
  const { states } = useMessages();
  const { link } = useScope();
  return (
    <Notice title={states.notFound} isMain>
      <Link href={link("/")}>{states.toStart}</Link>
    </Notice>
  );
}
