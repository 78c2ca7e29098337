import { useMutation } from "@tanstack/react-query";
import { sendJson } from "../api/client.ts";
import controls from "../components/controls.module.css";
import { useMessages } from "./preferences.tsx";

export function SignOutButton() {
  const { header } = useMessages();
  const signOut = useMutation({
    mutationFn: () => sendJson<void>("POST", "/api/sign-out"),
    onSettled: () => location.assign("/"),
  });
  return (
    <button type="button" className={controls["quiet"]} onClick={() => signOut.mutate()}>
      {header.signOut}
    </button>
  );
}
