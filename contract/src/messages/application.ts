/** The sentences about applications. */
export const messages = {
  added: 'Application created successfully',
  saved: 'Application updated successfully',
  removed: (name: string) => `Deleted application ${name}`,
  nameTaken: 'The name you have entered is already in use on another one of your applications.',
  program: {
    malformed: (why: string) => `This is not valid JSON: ${why}`,
    noList: 'The JSON must be a list of verbs, such as [{ "verb": "answer" }].',
    unknownVerb: (verb: string) => `There is no verb called ${verb}.`,
    noVerb: 'Every step of the list needs a "verb".',
  },
  variable: {
    help: 'What the calling webhook asks to know of every call.',
    missing: (name: string) => `${name} is required.`,
    wrong: (name: string, type: string) => `${name} must be a ${type}.`,
    oneOf: (name: string, choices: string[]) => `${name} must be one of ${choices.join(', ')}.`,
    unreadable: (why: string) => `The calling webhook could not be asked for its variables: ${why}`,
    unsaid: (stored: number) =>
      `The calling webhook does not say which variables it takes. ${stored === 1 ? 'The one that is stored is' : `The ${stored} that are stored are`} kept.`,
  },
  noAccess: 'You do not have access.',
} as const
