import { setTimeout as sleep } from 'node:timers/promises'
import { runSql } from '../scripts/launch/database'
import type { Mailbox } from '../scripts/launch/mailbox'
import type { TestServer } from '../scripts/launch/server'
import { sendOk } from './http'

const trialCount = 8

/** Adds accounts of which the trial ends soon. Returns the addresses of their users, which get a reminder. */
export const addEndingTrials = async ({ url, apiKey }: TestServer, databaseUrl: string): Promise<string[]> => {
  const add = async (path: string, body: unknown) => (await sendOk(url, apiKey, 'POST', `/v1${path}`, body)).sid
  const service_provider_sid = await add('/ServiceProviders', { name: 'trial provider' })
  const suffix = databaseUrl.split('/').at(-1)
  const addresses: string[] = []
  for (let trial = 0; trial < trialCount; trial += 1) {
    const account_sid = await add('/Accounts', {
      name: `trial ${trial}`,
      service_provider_sid,
      plan_type: 'trial',
      trial_end_date: new Date(Date.now() + 86_400_000).toISOString(),
    })
    const name = `trial-${trial}-${suffix}`
    const email = `${name}@example.com`
    await add('/Users', { name, email, initial_password: 'Proof-Pass-2026', is_active: true, account_sid })
    addresses.push(email)
  }
  await runSql({ url: databaseUrl }, 'update users set email_validated = 1')
  return addresses
}

/** All replicas run the job at their start. Each reminder must be sent once. */
export const checkRemindersSentOnce = async (mailbox: Mailbox, addresses: string[]): Promise<string[]> => {
  const countMails = (address: string) =>
    mailbox.receivedMails.filter(({ recipients }) => recipients.includes(address)).length
  for (let attempt = 0; attempt < 100 && !addresses.every((address) => countMails(address) > 0); attempt += 1)
    await sleep(100)
  // A second reminder would arrive at about the same time as the first.
  await sleep(1000)
  return addresses
    .filter((address) => countMails(address) !== 1)
    .map((address) => `${countMails(address)} reminders were sent to ${address}`)
}
