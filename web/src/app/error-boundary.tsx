import { Component, type ReactNode } from "react";
import { Notice } from "../components/notice.tsx";
import { useMessages } from "./preferences.tsx";

/** Keeps the frame when a page breaks: also when a part of it could not be fetched after an update. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    return this.state.error === null ? this.props.children : <Broken error={this.state.error} />;
  }
}

function Broken({ error }: { error: Error }) {
  const messages = useMessages();
  return (
    <Notice tone="bad" title={messages.states.broken} text={error.message}>
      <button type="button" onClick={() => location.reload()}>
        {messages.retry}
      </button>
    </Notice>
  );
}
