/** Bytes that the path of a socket may have on every system. */
export const MAX_SOCKET_PATH_LENGTH = 100;
