/** The usual declarations of who may call a route. */

const ofProject = { of: "project" } as const;

/** Whoever sends events. */
export const forSenders = {
  ...ofProject,
  keys: ["ingest", "admin"],
  scope: "events",
  role: "editor",
} as const;

/** Whoever looks at figures. */
export const forReaders = {
  ...ofProject,
  keys: ["read", "admin"],
  scope: "figures",
  role: "viewer",
} as const;

/** What every caller of the project needs to know. */
export const forAnyKey = {
  ...ofProject,
  keys: ["ingest", "read", "admin"],
  scope: null,
  role: "viewer",
} as const;

/** Whoever changes how the project works. */
export const forAdmins = { ...ofProject, keys: ["admin"], scope: "manage", role: "admin" } as const;

/** Whoever decides who gets in: keys, people, and what they did. */
export const forKeepers = { ...ofProject, keys: ["admin"], scope: "access", role: "admin" } as const;

/** Owners of the installation. */
export const forOwners = { of: "installation", keys: [], scope: null, role: "owner" } as const;

/** Everybody who is signed in, about themselves. */
export const forPerson = { of: "person", keys: [], scope: null, role: "viewer" } as const;
