/** The version of this SDK, which is that of the project that it comes with. */
export const VERSION = "0.1.0";
