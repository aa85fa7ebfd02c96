import { messages as access } from './access'

export const messages = {
  added: 'Application created successfully',
  saved: 'Application updated successfully',
  removed: (name: string) => `Deleted application ${name}`,
  duplicateName: 'The name you have entered is already in use on another one of your applications.',
  appJson: {
    malformed: (reason: string) => `This is not valid JSON: ${reason}`,
    notList: 'The JSON must be a list of verbs, such as [{ "verb": "answer" }].',
    missingValues: (verb: string, properties: string[]) => `${verb}: missing value for ${properties.join(', ')}`,
    unknownVerbs: (verbs: string[]) =>
      `The console cannot check ${verbs.join(', ')}. Make sure that your voice servers support ${verbs.length === 1 ? 'this verb' : 'these verbs'}.`,
    missingVerb: 'Every item in the list needs a "verb".',
  },
  variable: {
    help: 'Values sent to the calling webhook with every call.',
    missing: (name: string) => `${name} is required.`,
    wrongType: (name: string, type: string) => `${name} must be a ${type}.`,
    oneOf: (name: string, choices: string[]) => `${name} must be one of ${choices.join(', ')}.`,
    unreadable: (reason: string) => `The variables of the calling webhook could not be loaded: ${reason}`,
    unlisted: (storedCount: number) =>
      `The calling webhook does not list its variables. ${storedCount === 1 ? 'The stored value is' : `The ${storedCount} stored values are`} kept.`,
  },
  needsAccount: 'Applications need an account. Add an account first.',
  noAccess: access.foreignAccount,
} as const
