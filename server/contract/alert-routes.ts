import { idParam } from "./access-routes.ts";
import * as alert from "./alert.ts";
import { alertRuleInput } from "./alert-rule.ts";
import { forAdmins, forReaders } from "./callers.ts";
import * as query from "./query.ts";
import { defineRoute, type RouteContract } from "./route.ts";

/** Whoever is on call: it is about what happens now, and passes. */
const forOnCall = { ...forAdmins, role: "editor" } as const;

export const getAlerts = defineRoute({
  method: "get",
  path: "/api/alerts",
  summary: "Alerts that are firing, or those that were, in pages.",
  access: forReaders,
  query: alert.alertsQuery,
  answer: { status: 200, description: "A page.", schema: alert.alertsAnswer },
});

export const getAlert = defineRoute({
  method: "get",
  path: "/api/alerts/:id",
  summary: "One alert.",
  access: forReaders,
  params: idParam,
  query: query.projectQuery,
  answer: { status: 200, description: "The alert.", schema: alert.alertAnswer },
});

export const postAcknowledgement = defineRoute({
  method: "post",
  path: "/api/alerts/:id/acknowledgement",
  summary: "Say that somebody is at it: reminders stop, and channels are told who.",
  access: forOnCall,
  audit: ["alert.acknowledged"],
  params: idParam,
  query: query.projectQuery,
  body: { kind: "json", schema: alert.newAcknowledgement },
  answer: { status: 200, description: "The alert.", schema: alert.alertAnswer },
});

export const getRules = defineRoute({
  method: "get",
  path: "/api/rules",
  summary: "Rules by which alerts fire, and the usual ones.",
  access: forReaders,
  query: query.projectQuery,
  answer: { status: 200, description: "The rules.", schema: alert.rulesAnswer },
});

export const postRules = defineRoute({
  method: "post",
  path: "/api/rules",
  summary: "Make a rule.",
  access: forAdmins,
  audit: ["rule.created"],
  query: query.projectQuery,
  body: { kind: "json", schema: alertRuleInput },
  answer: { status: 201, description: "The rule.", schema: alert.alertRule },
});

export const postUsualRules = defineRoute({
  method: "post",
  path: "/api/rules/usual",
  summary:
    "Switch the usual rules on: those that are missing are made, the others stay as they were changed.",
  access: forAdmins,
  audit: ["rule.created", "rule.changed"],
  query: query.projectQuery,
  answer: { status: 200, description: "All rules.", schema: alert.rulesAnswer },
});

export const postRuleReplay = defineRoute({
  method: "post",
  path: "/api/rules/replay",
  summary: "How often a rule would have fired in the last 14 days, and where.",
  access: forReaders,
  audit: [],
  query: query.projectQuery,
  body: { kind: "json", schema: alert.ruleReplayRequest },
  answer: { status: 200, description: "Its firings.", schema: alert.ruleReplay },
});

export const putRule = defineRoute({
  method: "put",
  path: "/api/rules/:id",
  summary: "Change a rule. What it counts begins anew; its alerts stay.",
  access: forAdmins,
  audit: ["rule.changed"],
  params: idParam,
  query: query.projectQuery,
  body: { kind: "json", schema: alert.alertRuleChange },
  answer: { status: 200, description: "The rule as it is now.", schema: alert.alertRule },
});

export const deleteRule = defineRoute({
  method: "delete",
  path: "/api/rules/:id",
  summary: "Remove a rule. Its firing alerts end; what it told stays in the history.",
  access: forAdmins,
  audit: ["rule.removed"],
  params: idParam,
  query: query.projectQuery,
  answer: { status: 204, description: "It is gone." },
});

export const getSilences = defineRoute({
  method: "get",
  path: "/api/silences",
  summary: "Silences: what channels are not told of, until when and why.",
  access: forReaders,
  query: query.projectQuery,
  answer: { status: 200, description: "The silences.", schema: alert.silencesAnswer },
});

export const postSilences = defineRoute({
  method: "post",
  path: "/api/silences",
  summary: "Silence alerts until a time. What still fires then is told then.",
  access: forOnCall,
  audit: ["silence.created"],
  query: query.projectQuery,
  body: { kind: "json", schema: alert.newSilence },
  answer: { status: 201, description: "The silence.", schema: alert.silence },
});

export const patchSilence = defineRoute({
  method: "patch",
  path: "/api/silences/:id",
  summary: "Give an active silence another end or reason.",
  access: forOnCall,
  audit: ["silence.changed"],
  params: idParam,
  query: query.projectQuery,
  body: { kind: "json", schema: alert.silenceChange },
  answer: { status: 200, description: "The silence as it is now.", schema: alert.silence },
});

export const deleteSilence = defineRoute({
  method: "delete",
  path: "/api/silences/:id",
  summary: "End a silence now.",
  access: forOnCall,
  audit: ["silence.ended"],
  params: idParam,
  query: query.projectQuery,
  answer: { status: 204, description: "It is over." },
});

export const getMaintenanceWindows = defineRoute({
  method: "get",
  path: "/api/maintenance-windows",
  summary: "Times that come again in which channels are not told of some alerts.",
  access: forReaders,
  query: query.projectQuery,
  answer: { status: 200, description: "The windows.", schema: alert.maintenanceAnswer },
});

export const postMaintenanceWindows = defineRoute({
  method: "post",
  path: "/api/maintenance-windows",
  summary: "Make a maintenance window.",
  access: forAdmins,
  audit: ["maintenance.created"],
  query: query.projectQuery,
  body: { kind: "json", schema: alert.maintenanceInput },
  answer: { status: 201, description: "The window.", schema: alert.maintenanceWindow },
});

export const putMaintenanceWindow = defineRoute({
  method: "put",
  path: "/api/maintenance-windows/:id",
  summary: "Change a maintenance window.",
  access: forAdmins,
  audit: ["maintenance.changed"],
  params: idParam,
  query: query.projectQuery,
  body: { kind: "json", schema: alert.maintenanceChange },
  answer: { status: 200, description: "The window as it is now.", schema: alert.maintenanceWindow },
});

export const deleteMaintenanceWindow = defineRoute({
  method: "delete",
  path: "/api/maintenance-windows/:id",
  summary: "Remove a maintenance window.",
  access: forAdmins,
  audit: ["maintenance.removed"],
  params: idParam,
  query: query.projectQuery,
  answer: { status: 204, description: "It is gone." },
});

/** Alerts, the rules that make them, and what keeps channels from being told. */
export const ALERT_ROUTES: readonly RouteContract[] = [
  getAlerts,
  getAlert,
  postAcknowledgement,
  getRules,
  postRules,
  postUsualRules,
  postRuleReplay,
  putRule,
  deleteRule,
  getSilences,
  postSilences,
  patchSilence,
  deleteSilence,
  getMaintenanceWindows,
  postMaintenanceWindows,
  putMaintenanceWindow,
  deleteMaintenanceWindow,
];
