import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Redirect, Route, Switch } from "wouter";
import { ApiError } from "../api/api-error.ts";
import { Loading } from "../components/notice.tsx";
import { NowPage } from "../features/now/now-page.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Frame } from "./frame.tsx";
import { Gate } from "./gate.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { OpenPage } from "./open-page.tsx";
import { PreferencesProvider } from "./preferences.tsx";

const AdvicePage = lazy(async () => ({
  default: (await import("../features/advice/advice-page.tsx")).AdvicePage,
}));
const EpisodesPage = lazy(async () => ({
  default: (await import("../features/episodes/episodes-page.tsx")).EpisodesPage,
}));
const ModelsPage = lazy(async () => ({
  default: (await import("../features/models/models-page.tsx")).ModelsPage,
}));
const ModelPage = lazy(async () => ({
  default: (await import("../features/models/model-page.tsx")).ModelPage,
}));
const SourcesPage = lazy(async () => ({
  default: (await import("../features/sources/sources-page.tsx")).SourcesPage,
}));
const ErrorsPage = lazy(async () => ({
  default: (await import("../features/errors/errors-page.tsx")).ErrorsPage,
}));
const AlertsPage = lazy(async () => ({
  default: (await import("../features/alerts/alerts-page.tsx")).AlertsPage,
}));
const RoutingPage = lazy(async () => ({
  default: (await import("../features/routing/routing-page.tsx")).RoutingPage,
}));
const QueuePage = lazy(async () => ({
  default: (await import("../features/queue/queue-page.tsx")).QueuePage,
}));
const SettingsPage = lazy(async () => ({
  default: (await import("../features/settings/settings-page.tsx")).SettingsPage,
}));
const InvitationPage = lazy(async () => ({
  default: (await import("../features/settings/invitation-page.tsx")).InvitationPage,
}));

const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // What the server refuses it refuses again; a server that is away may come back.
      retry: (failures, error) => !(error instanceof ApiError) && failures < 2,
      retryDelay: (attempt) => 500 * 2 ** attempt,
      // A laptop without a network still reaches a server on itself.
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <PreferencesProvider>
        <Switch>
          <Route path="/invitation">
            <OpenPage>
              <Suspense fallback={<Loading />}>
                <InvitationPage />
              </Suspense>
            </OpenPage>
          </Route>
          <Route>
            <Gate>
              <Frame>
                <ErrorBoundary>
                  <Suspense fallback={<Loading />}>
                    <Switch>
                      <Route path="/" component={NowPage} />
                      <Route path="/advice" component={AdvicePage} />
                      <Route path="/episodes" component={EpisodesPage} />
                      <Route path="/models" component={ModelsPage} />
                      <Route path="/model" component={ModelPage} />
                      <Route path="/sources" component={SourcesPage} />
                      <Route path="/errors" component={ErrorsPage} />
                      <Route path="/alerts/:part?" component={AlertsPage} />
                      <Route path="/routing/:part?" component={RoutingPage} />
                      <Route path="/queue" component={QueuePage} />
                      <Route path="/settings/:part?" component={SettingsPage} />
                      <Route path="/now">
                        <Redirect to="/" replace />
                      </Route>
                      <Route component={NotFoundPage} />
                    </Switch>
                  </Suspense>
                </ErrorBoundary>
              </Frame>
            </Gate>
          </Route>
        </Switch>
      </PreferencesProvider>
    </QueryClientProvider>
  );
}
