import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createApiClient } from '../scripts/launch/api'
import { startMailbox, type Mailbox, type ReceivedMail } from '../scripts/launch/mailbox'
import { startOAuthProvider } from '../scripts/launch/oauth-provider'
import { addSampleProvider } from '../scripts/launch/sample-provider'
import { findFreePort, waitUntilHealthy } from '../scripts/launch/server'
import { startStripeDouble } from '../scripts/launch/stripe-double/server'
import { addPlans, startDaysAgo, type Credentials } from './hosted-plans'
import { daySeconds } from './hosted-accounts'
import { startMailPage } from './mail-page'
import { replaceInitialRecords, signIn } from './seed'
import { exitWithError, spawnServer, stopSignals, waitForExit } from './server-process'

/**
 * `npm run demo -- --hosted`: the hosted edition with an account in each state of a plan. Doubles on this machine replace
 * Stripe, the mail server, Google and GitHub. They keep nothing, so each start creates new data.
 */

const dataFolder = resolve(process.env.DATA_DIR || join('data', 'demo-hosted'))
/** Marks a folder whose content the next start may delete. */
const markerFile = join(dataFolder, 'demo-hosted.json')
const rootDomain = 'mv.example'
/** The provider that every new installation contains. */
const defaultProviderSid = '2708b1b3-2736-40ea-b502-c53d8396247f'
const webhookSecret = 'whsec_demo'
const notice = 'Demonstration: no card is charged, and no mail is sent.'

const prepareDataFolder = () => {
  mkdirSync(dataFolder, { recursive: true })
  if (readdirSync(dataFolder).length > 0 && !existsSync(markerFile))
    exitWithError(`${dataFolder} contains other files. Set DATA_DIR to an empty folder.`)
  for (const name of readdirSync(dataFolder)) rmSync(join(dataFolder, name), { recursive: true })
  writeFileSync(markerFile, '{}')
}

let hasStarted = false

/** Prints the mail that people cause. That of the preparation would only distract. */
const printMail = ({ recipients, mail }: ReceivedMail) => {
  if (hasStarted) console.log(`\nMail to ${recipients.join(', ')}: ${mail.subject ?? ''}\n${mail.text ?? ''}`)
}

/**
 * Prints what the server writes, but not its first lines: they are about an installation without accounts. Errors are
 * always printed.
 */
const printOutput = ({ stdout, stderr }: ChildProcess): void => {
  stdout?.on('data', (chunk: Buffer) => void (hasStarted && process.stdout.write(chunk)))
  stderr?.pipe(process.stderr)
}

const startDoubles = async (consoleUrl: string) => {
  const mailbox = await startMailbox(printMail)
  const mailPage = await startMailPage(() => mailbox.receivedMails)
  const stripe = await startStripeDouble({ startSeconds: Math.floor(Date.now() / 1000) - startDaysAgo * daySeconds })
  stripe.webhooks.setTarget({ url: `${consoleUrl}/stripe/webhook`, secret: webhookSecret })
  const oauthProvider = await startOAuthProvider({ consoleUrl })
  return { mailbox, mailPage, stripe, oauthProvider }
}

type Doubles = Awaited<ReturnType<typeof startDoubles>>

const buildSettings = ({ mailbox, mailPage, stripe, oauthProvider }: Doubles, consoleUrl: string, port: number) => ({
  // only this machine can reach the doubles
  HOST: '127.0.0.1',
  PORT: String(port),
  PUBLIC_URL: consoleUrl,
  CONSOLE_NOTICE: notice,
  // so that the users and mails below stay readable
  LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
  ENABLE_HOSTED_SYSTEM: 'true',
  DEFAULT_SERVICE_PROVIDER_SID: defaultProviderSid,
  DISABLE_RATE_LIMITS: 'true',
  SMTP_URL: mailbox.url,
  MAIL_FROM: `Demonstration <no-reply@${rootDomain}>`,
  TERMS_URL: `${mailPage.url}/terms`,
  PRIVACY_URL: `${mailPage.url}/privacy`,
  STRIPE_API_KEY: 'sk_test_demo',
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_PUBLISHABLE_KEY: 'pk_test_demo',
  STRIPE_API_URL: stripe.url,
  STRIPE_JS_URL: stripe.standInUrl,
  ...oauthProvider.settings,
})

const readCode = async (mailbox: Mailbox, email: string) => {
  const { mail } = await mailbox.waitForMail(email)
  const code = /^\d{6}$/m.exec(mail.text ?? '')?.[0]
  if (!code) throw new Error(`The mail to ${email} contains no code.`)
  return code
}

interface Passwords {
  initial: string
  password: string
}

/** Creates the provider, its accounts and the users. */
const createRecords = async (url: string, { stripe, mailbox }: Doubles, { initial, password }: Passwords) => {
  const api = createApiClient(url, await signIn(url, initial, password))
  await replaceInitialRecords(api)
  const sample = await addSampleProvider(api, { accounts: 24, numbers: 60 })
  const { service_provider_sid } = sample
  await api.post('/Users', {
    name: 'provider',
    email: `provider@${rootDomain}`,
    initial_password: password,
    service_provider_sid,
    force_change: 0,
  })
  const demo = {
    url,
    api,
    stripe,
    service_provider_sid,
    rootDomain,
    readCode: (email: string) => readCode(mailbox, email),
  }
  return addPlans(demo, sample, password)
}

const formatUsers = (credentials: readonly Credentials[]) =>
  [
    { email: 'admin', state: 'Administrator' },
    { email: 'provider', state: 'The service provider who sells: see Accounts, and Plans and prices' },
    ...credentials,
  ]
    .map(({ email, state }) => `  ${email.padEnd(24)} ${state}`)
    .join('\n')

const describe = (consoleUrl: string, mailPageUrl: string, password: string, credentials: Credentials[]) => `
This is a demonstration of the hosted edition. Everything runs on this machine: no card is charged, no mail is sent, and
Google and GitHub are stand-ins. The next start deletes the data in ${dataFolder} and creates it again.

  Console   ${consoleUrl}
  Mailbox   ${mailPageUrl} (mail is printed here too)

Sign in with the password ${password}
${formatUsers(credentials)}

Cards: 4242 4242 4242 4242 is accepted, 4000 0000 0000 0002 is refused, 4000 0025 0000 3155 needs a confirmation.
`

const run = async (): Promise<number> => {
  prepareDataFolder()
  const port = Number(process.env.PORT || 3000)
  const consoleUrl = `http://127.0.0.1:${port}`
  const passwords = {
    initial: randomBytes(12).toString('base64url'),
    password: `Demo-${randomBytes(6).toString('hex')}`,
  }
  const doubles = await startDoubles(consoleUrl)
  const settings = { ...buildSettings(doubles, consoleUrl, port), INITIAL_ADMIN_PASSWORD: passwords.initial }
  const server = spawnServer(dataFolder, { HEP_PORT: String(await findFreePort()), ...settings }, 'pipe')
  printOutput(server)
  const exited = waitForExit(server)
  for (const signal of stopSignals) process.on(signal, () => server.kill(signal))
  let clock: NodeJS.Timeout | undefined
  try {
    await waitUntilHealthy(consoleUrl, server, () => '')
    console.log('Creating accounts with plans…')
    const credentials = await createRecords(consoleUrl, doubles, passwords)
    hasStarted = true
    console.log(describe(consoleUrl, doubles.mailPage.url, passwords.password, credentials))
    clock = setInterval(() => doubles.stripe.advanceTo(Math.floor(Date.now() / 1000)), 60_000)
    return await exited
  } catch (error) {
    server.kill('SIGTERM')
    await exited
    console.error(`The demonstration could not be started: ${error instanceof Error ? error.message : String(error)}`)
    return 1
  } finally {
    clearInterval(clock)
    doubles.mailPage.close()
    await Promise.all([doubles.mailbox.close(), doubles.stripe.close(), doubles.oauthProvider.stop()])
  }
}

process.exitCode = await run()
