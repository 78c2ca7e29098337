/** Version of this package, as it is told to the server. */
export const VERSION = "0.1.0";
