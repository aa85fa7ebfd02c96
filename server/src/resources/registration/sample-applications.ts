import { randomUUID } from 'node:crypto'
import type { Connection } from '../../db/repository-options'
import type { Services } from '../../composition/services'

/** The applications that each new account gets, and the paths of their webhooks. */
const sampleApplications = [
  { name: 'hello world', path: 'hello-world' },
  { name: 'dial time clock', path: 'dial-time' },
  { name: 'simple echo test', path: 'echo' },
] as const
const statusPath = 'call-status'

const speech = {
  speech_synthesis_vendor: 'google',
  speech_synthesis_language: 'en-US',
  speech_synthesis_voice: 'en-US-Wavenet-C',
  speech_recognizer_vendor: 'google',
  speech_recognizer_language: 'en-US',
} as const

/** Adds the sample applications, which share one call status webhook, to a new account. */
export const insertSampleApplications = async (
  tx: Connection,
  applications: Services['applications'],
  { account_sid, url }: { account_sid: string; url: string },
): Promise<void> => {
  const insertWebhook = async (path: string) => {
    const webhook_sid = randomUUID()
    await tx
      .insertInto('webhooks')
      .values({ webhook_sid, url: `${url}/${path}`, method: 'POST' })
      .execute()
    return webhook_sid
  }
  const call_status_hook_sid = await insertWebhook(statusPath)
  for (const { name, path } of sampleApplications) {
    const call_hook_sid = await insertWebhook(path)
    await applications.insert(
      { application_sid: randomUUID(), name, account_sid, call_hook_sid, call_status_hook_sid, ...speech },
      tx,
    )
  }
}
