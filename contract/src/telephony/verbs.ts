/** The call-control verbs that an application's JSON may start with. */
const verbs: ReadonlySet<string> = new Set(
  (
    'alert answer sip:decline sip:request sip:refer config dub dequeue enqueue leave hangup play say gather conference dial ' +
    'dialogflow dtmf lex listen stream llm message pause pipeline rasa record redirect tag transcribe'
  ).split(' '),
)

/** What is wrong with an application's JSON text, in the words of the wire; undefined when it is fine. */
export const appJsonFault = (text: string): string | undefined => {
  let program: unknown
  try {
    program = JSON.parse(text)
  } catch (error) {
    return `app_json is not valid JSON: ${(error as Error).message}`
  }
  if (!Array.isArray(program)) return 'Error: malformed jambonz payload: must be array'
  for (const step of program as unknown[]) {
    const verb = step !== null && typeof step === 'object' && 'verb' in step ? step.verb : undefined
    if (typeof verb !== 'string' || !verbs.has(verb)) return `Error: invalid instruction: ${String(verb)}`
  }
  return undefined
}
