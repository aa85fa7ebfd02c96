import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { apiOf, type Api } from './support/api'
import { axeFaults } from './support/axe'
import { addPerson, enter, type Person } from './support/people'
import { startPlainApi, type PlainApi } from './support/plain-api'
import { choose, heading, said, save } from './support/screen'
import { startServer, type TestServer } from './support/server'
import { expect, test } from './support/test'

/** A webhook that says which variables it takes. */
const variables = {
  GREETING: { type: 'string', description: 'What callers hear first.', required: true, default: 'Hello' },
  RETRIES: { type: 'number', description: 'How often a caller is asked again.' },
  MODE: { type: 'string', description: 'How fast it speaks.', enum: ['slow', 'fast'] },
  LOUD: { type: 'boolean', description: 'Speaks up.' },
  TOKEN: { type: 'string', description: 'The key of the booking system.', obscure: true },
  PROMPT: { type: 'string', description: 'Read before every call.', uiHint: 'filepicker' },
}

let webhook: Server
let address: string
let platform: TestServer
let plain: PlainApi
let front: TestServer
let api: Api
let admin: Person
let account_sid: string

test.beforeAll(async () => {
  test.setTimeout(180_000)
  webhook = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(variables))
  })
  await new Promise<void>((done) => webhook.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(webhook.address() as AddressInfo).port}/call`
  platform = await startServer({ APP_ENV_PRIVATE_TARGETS: 'true' })
  api = apiOf(platform.url, platform.apiKey)
  plain = await startPlainApi(platform)
  front = await startServer({ API_BASE_URL: plain.url })
  admin = await addPerson(platform, 'ada-of-applications')
  const service_provider_sid = await api.add('/ServiceProviders', { name: 'Aa voices' })
  account_sid = await api.add('/Accounts', { name: 'Acme', service_provider_sid, sip_realm: 'acme.apps.example.com' })
})
test.afterAll(async () => {
  await front?.dispose()
  await plain?.close()
  await platform?.dispose()
  webhook?.close()
})

const tokenFrom = async () => {
  const answer = await fetch(`${platform.url}/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: admin.name, password: admin.password }),
  })
  return ((await answer.json()) as { token: string }).token
}

for (const scheme of ['light', 'dark'] as const)
  test.describe(`with everything unfolded, ${scheme}`, () => {
    test.use({ colorScheme: scheme })

    test('an application knows its variables, its voices and what to do without them', async ({ page }) => {
      test.setTimeout(120_000)
      const token = await tokenFrom()
      await page.goto(`${front.url}/favicon.svg`)
      await page.evaluate((value) => localStorage.setItem('token', value), token)
      await page.goto(`${front.url}/internal/applications/add`)
      await expect(heading(page, 'Add application')).toBeVisible()
      await page.getByLabel('Application name').fill(`Front desk ${scheme}`)
      await choose(page, 'Account', 'Acme')
      await page.getByRole('checkbox', { name: 'Record all calls' }).check()
      await page.getByRole('textbox', { name: 'Calling webhook' }).fill(address)
      await expect(page.getByRole('textbox', { name: 'GREETING' })).toHaveValue('Hello')
      await page.getByRole('textbox', { name: 'RETRIES' }).fill('2')
      await choose(page, 'MODE', 'fast')
      await page.getByLabel('TOKEN', { exact: true }).fill('s3cret')
      const chooser = page.waitForEvent('filechooser')
      await page.getByRole('button', { name: 'Choose file for PROMPT' }).click()
      await (await chooser).setFiles({ name: 'prompt.txt', mimeType: 'text/plain', buffer: Buffer.from('Be kind.') })
      await expect(page.getByRole('textbox', { name: 'PROMPT' })).toHaveValue('Be kind.')
      await page.getByRole('textbox', { name: 'Call status webhook' }).fill('https://acme.example.com/status')

      await expect(page.getByRole('combobox', { name: 'Voice', exact: true })).toHaveValue('en-US-Standard-C')
      await page.getByRole('checkbox', { name: 'Use a fallback speech vendor' }).check()
      await choose(page, 'Fallback speech synthesis vendor', 'ElevenLabs')
      await expect(page.getByRole('combobox', { name: 'Fallback voice' })).toHaveValue('Rachel')
      await choose(page, 'Fallback speech recognizer vendor', 'Microsoft')
      await expect(page.getByRole('textbox', { name: 'Fallback recognizer language' })).toHaveValue('en-US')
      await expect(
        page.getByText('This server does not list languages for Microsoft: type it as the vendor writes it.'),
      ).toBeVisible()
      await page.getByRole('button', { name: 'Application JSON' }).click()
      expect(await axeFaults(page)).toEqual([])
      await page.getByRole('button', { name: 'Swap primary and fallback' }).click()
      await expect(page.getByRole('combobox', { name: 'Voice', exact: true })).toHaveValue('Rachel')
      await save(page)
      await said(page, 'Application created successfully')

      const all = await api.get<Record<string, unknown>[]>(`/Accounts/${account_sid}/Applications`)
      expect(all.find(({ name }) => name === `Front desk ${scheme}`)).toMatchObject({
        record_all_calls: 1,
        env_vars: { GREETING: 'Hello', RETRIES: 2, MODE: 'fast', TOKEN: 's3cret', PROMPT: 'Be kind.' },
        speech_synthesis_vendor: 'elevenlabs',
        speech_synthesis_language: 'en',
        speech_synthesis_voice: 'Rachel',
        speech_recognizer_vendor: 'microsoft',
        use_for_fallback_speech: 1,
        fallback_speech_synthesis_vendor: 'google',
        fallback_speech_synthesis_voice: 'en-US-Standard-C',
        fallback_speech_recognizer_vendor: 'google',
      })
    })
  })

test('speech is typed where our own server lists none', async ({ page }) => {
  const hook = { url: 'https://acme.example.com/call' }
  const sid = await api.add('/Applications', { name: 'Typed', account_sid, call_hook: hook, call_status_hook: hook })
  await enter(page, platform, admin, `/internal/applications/${sid}/edit`)
  const voice = page.getByRole('textbox', { name: 'Voice', exact: true })
  await expect(voice).toHaveValue('en-US-Standard-C')
  await expect(voice).toHaveAccessibleDescription(/does not list voices for Google/)
  await voice.fill('en-US-Wavenet-A')
  await save(page)
  await said(page, 'Application updated successfully')
  expect(await api.get(`/Applications/${sid}`)).toMatchObject({ speech_synthesis_voice: 'en-US-Wavenet-A' })
})
