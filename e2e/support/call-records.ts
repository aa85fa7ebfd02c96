import type { TestServer } from '../../scripts/launch/server'

/** Writes call records as a voice server does. Each is a line of InfluxDB's line protocol, with its time in milliseconds. */
export const writeCallRecords = async (
  { url, apiKey }: Pick<TestServer, 'url' | 'apiKey'>,
  lines: readonly string[],
): Promise<void> => {
  const response = await fetch(`${url}/write?db=cdrs&precision=ms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
    body: lines.join('\n'),
  })
  if (response.status !== 204) throw new Error(`The call records were refused: ${await response.text()}`)
}
