import { useView } from "../../app/view.tsx";

/** Whether who looks may write drafts; publishing them is for admins. */
export function useMayWrite(): boolean {
  return useView().project.role !== "viewer";
}
