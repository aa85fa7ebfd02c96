/** The sentences about speech and its vendors. */
export const messages = {
  tested: 'Connection test successful',
  mayNotChange: 'You do not have permissions to make changes to these Speech Credentials',
  notListed: (what: string, vendor: string) =>
    `This server does not list ${what} for ${vendor}: type it as the vendor writes it.`,
  labelsNotListed: 'This server does not list speech credentials: type the label of the one to use.',
  custom: (vendor: string) => `As ${vendor} writes it.`,
  noFallback: 'Choose a fallback vendor for synthesis, for recognition, or for both.',
} as const
