/** Whether the keyboard has a command key. */
export const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform);
