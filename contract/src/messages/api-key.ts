export const messages = {
  added: 'API key created',
  removed: 'API key deleted',
  neverUsed: 'Never used',
  noExpiry: 'No expiry',
  permissions: (owner: string) =>
    `Anyone with this key can act as this ${owner}: read and change its records, and start calls. Store it like a password.`,
  expires: (day: string) => `The key stops working after ${day}.`,
  nameHelp: 'The program or person that uses the key.',
  neverExpires: 'The key works until it is deleted.',
} as const
