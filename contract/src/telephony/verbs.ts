/** The call-control verbs that an application's JSON may start with. */
const verbs: ReadonlySet<string> = new Set(
  (
    'alert answer sip:decline sip:request sip:refer config dub dequeue enqueue leave hangup play say gather conference dial ' +
    'dialogflow dtmf lex listen stream llm message pause pipeline rasa record redirect tag transcribe'
  ).split(' '),
)

/** What is wrong with an application's JSON text: not JSON, not a list, or a step whose verb is missing or unknown. */
export type ProgramFault =
  { kind: 'malformed'; why: string } | { kind: 'no_list' } | { kind: 'verb'; verb: string | undefined; given: unknown }

/** The first thing wrong with an application's JSON text; undefined when it is fine. */
export const programFault = (text: string): ProgramFault | undefined => {
  let program: unknown
  try {
    program = JSON.parse(text)
  } catch (error) {
    return { kind: 'malformed', why: (error as Error).message }
  }
  if (!Array.isArray(program)) return { kind: 'no_list' }
  for (const step of program as unknown[]) {
    const given = step !== null && typeof step === 'object' && 'verb' in step ? step.verb : undefined
    const verb = typeof given === 'string' ? given : undefined
    if (verb === undefined || !verbs.has(verb)) return { kind: 'verb', verb, given }
  }
  return undefined
}

/** What is wrong with an application's JSON text, in the words of the wire; undefined when it is fine. */
export const appJsonFault = (text: string): string | undefined => {
  const fault = programFault(text)
  if (fault?.kind === 'malformed') return `app_json is not valid JSON: ${fault.why}`
  if (fault?.kind === 'no_list') return 'Error: malformed jambonz payload: must be array'
  return fault && `Error: invalid instruction: ${String(fault.given)}`
}
