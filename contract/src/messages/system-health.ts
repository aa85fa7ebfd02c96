/** Sentences of the screen System health. */
export const messages = {
  description:
    'The checks of the server that this console is connected to, its database and the services that it uses.',
  notProvided: 'This server does not report its health.',
  notProvidedText: 'Only a Trunkline server runs these checks.',
  allPassed: 'All checks passed.',
  problems: (failedCount: number, warningCount: number) => {
    const texts = [
      failedCount > 0 ? `${failedCount} ${failedCount === 1 ? 'check has' : 'checks have'} failed` : '',
      warningCount > 0 ? `${warningCount} ${warningCount === 1 ? 'check has a warning' : 'checks have warnings'}` : '',
    ]
    return `${texts.filter(Boolean).join(', and ')}.`
  },
  /** The results on the screen are older, because the last request failed. */
  outdated: (reason: string) => `The checks could not be repeated. These are the last results. ${reason}`,
} as const
