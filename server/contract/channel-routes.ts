import { idParam } from "./access-routes.ts";
import { forAdmins, forReaders } from "./callers.ts";
import * as channel from "./channel.ts";
import * as query from "./query.ts";
import { defineRoute, type RouteContract } from "./route.ts";

export const getChannels = defineRoute({
  method: "get",
  path: "/api/channels",
  summary: "Where notices go, and how it does there.",
  access: forReaders,
  query: channel.channelsQuery,
  answer: { status: 200, description: "The channels, secrets masked.", schema: channel.channelsAnswer },
});

export const postChannels = defineRoute({
  method: "post",
  path: "/api/channels",
  summary: "Add a channel: its kind is told from the address.",
  access: forAdmins,
  audit: ["channel.created"],
  query: query.projectQuery,
  body: { kind: "json", schema: channel.newChannel },
  answer: { status: 201, description: "The channel.", schema: channel.createdChannel },
});

export const postChannelKinds = defineRoute({
  method: "post",
  path: "/api/channel-kinds",
  summary: "Tell what kind of channel an address is of, and what else it needs.",
  access: forAdmins,
  audit: [],
  query: query.projectQuery,
  body: { kind: "json", schema: channel.pastedAddress },
  answer: { status: 200, description: "The kind.", schema: channel.toldKind },
});

export const patchChannel = defineRoute({
  method: "patch",
  path: "/api/channels/:id",
  summary: "Change a channel, or switch it off: what waits in its outbox is kept.",
  access: forAdmins,
  audit: ["channel.changed"],
  params: idParam,
  query: query.projectQuery,
  body: { kind: "json", schema: channel.channelChange },
  answer: { status: 200, description: "The channel as it is now.", schema: channel.channelRecord },
});

export const deleteChannel = defineRoute({
  method: "delete",
  path: "/api/channels/:id",
  summary: "Remove a channel with its secrets, its outbox and its log.",
  access: forAdmins,
  audit: ["channel.removed"],
  params: idParam,
  query: query.projectQuery,
  answer: { status: 204, description: "It is gone." },
});

export const postChannelTests = defineRoute({
  method: "post",
  path: "/api/channels/:id/tests",
  summary: "Send a test message now, and tell what was answered.",
  access: forAdmins,
  audit: [],
  params: idParam,
  query: channel.channelsQuery,
  answer: { status: 200, description: "What the receiver said.", schema: channel.channelTest },
});

export const postChannelRotations = defineRoute({
  method: "post",
  path: "/api/channels/:id/rotations",
  summary: "Make a new signing secret for a webhook; for a while both sign.",
  access: forAdmins,
  audit: ["channel.rotated"],
  params: idParam,
  query: query.projectQuery,
  body: { kind: "json", schema: channel.channelRotation },
  answer: { status: 201, description: "The new secret.", schema: channel.rotatedChannel },
});

export const getDeliveries = defineRoute({
  method: "get",
  path: "/api/channels/:id/deliveries",
  summary: "Tries to deliver, with what was answered, newest first, in pages.",
  access: forReaders,
  params: idParam,
  query: channel.deliveriesQuery,
  answer: { status: 200, description: "A page of the log.", schema: channel.deliveriesAnswer },
});

export const CHANNEL_ROUTES: readonly RouteContract[] = [
  getChannels,
  postChannels,
  postChannelKinds,
  patchChannel,
  deleteChannel,
  postChannelTests,
  postChannelRotations,
  getDeliveries,
];
