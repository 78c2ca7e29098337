import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App, queryClient } from "./app/app.tsx";
import { prefetchFirstView } from "./app/prefetch.ts";
import "./styles/base.css";

const root = document.getElementById("root");
if (root === null) throw new Error("the page has no #root");
prefetchFirstView(queryClient, location).catch(() => {});
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
