/** Maximum length of a socket path that every system supports, in bytes. */
export const MAX_SOCKET_PATH_LENGTH = 100;
