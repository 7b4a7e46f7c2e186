/** Bytes that the path of a socket may have on every system. */
export const LONGEST_SOCKET_PATH = 100;
