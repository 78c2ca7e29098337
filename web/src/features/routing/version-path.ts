/** The address of a version's page, from that of such pages. */
export const versionPath = (page: string, version: number) =>
  `${page}${page.includes("?") ? "&" : "?"}version=${version}`;
