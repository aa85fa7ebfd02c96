import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { messages as speech } from '../../contract/src/messages/speech-credential'
import { createApiClient, findDefaultProviderSid } from '../../scripts/launch/api'
import { expectMessage } from '../support/catalogue'
import { addUser, openAs } from '../../scripts/launch/users'
import { selectOption, heading, deleteRecord, clickSave } from '../support/screen'
import { startServer } from '../../scripts/launch/server'
import { expect, test } from '../support/test'

/** A double of a vendor's self-hosted container, which accepts one key. */
const startContainer = async () => {
  const server = createServer((request, response) => {
    const hasValidKey = request.headers.authorization === 'Token right-key'
    response.writeHead(hasValidKey ? 200 : 401, { 'content-type': hasValidKey ? 'audio/mpeg' : 'application/json' })
    response.end(hasValidKey ? 'ID3 hello' : JSON.stringify({ err_msg: 'Invalid credentials.' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, stop: () => new Promise((resolve) => server.close(resolve)) }
}

const vendorTile = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })

const fillContainerUris = async (page: Page, uri: string) => {
  for (const direction of ['STT', 'TTS']) await page.getByLabel(`Container URI for ${direction}`).fill(uri)
}

/** The error messages of an empty form, and of an invalid Google service. */
const expectFormErrors = async (page: Page) => {
  await page.getByRole('link', { name: 'Add speech service' }).click()
  await clickSave(page)
  await expect(page.getByText(speech.vendorMissing)).toBeVisible()
  await vendorTile(page, 'Google').check()
  await page.getByLabel('Service key').setInputFiles({
    name: 'key.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{"private_key":'),
  })
  await expectMessage(page, speech.serviceKey)
  await page.getByRole('checkbox', { name: 'Use custom voices' }).check()
  await page.getByRole('button', { name: 'Delete custom voice 1' }).click()
  await clickSave(page)
  await expectMessage(page, speech.voiceRequired)
}

/** Adds a service with an invalid key, in the open form, and tests it. */
const addServiceWithInvalidKey = async (page: Page, containerUri: string) => {
  // Another vendor starts with an empty form.
  await vendorTile(page, 'Deepgram').check()
  await selectOption(page, 'Where it runs', 'On-premises container')
  await page.getByLabel('API key', { exact: true }).fill('wrong-key')
  await page.getByLabel('Label').fill('boston')
  await page.getByRole('checkbox', { name: 'Use for speech-to-text' }).uncheck()
  await fillContainerUris(page, 'localhost')
  await clickSave(page)
  await expect(page.getByText(speech.invalid.hostPortOrUrl('Container URI for TTS'))).toBeVisible()
  await fillContainerUris(page, containerUri)
  await clickSave(page)
  await expectMessage(page, speech.added)

  await page.getByRole('button', { name: 'Test Deepgram boston' }).click()
  await expect(page.getByText('Failed').last()).toBeVisible()
}

/** Adds a second service with the valid key, because keys cannot be changed; then tests and changes it. */
const addAndChangeValidService = async (page: Page, containerUri: string) => {
  await page.getByRole('link', { name: 'Add speech service' }).click()
  await vendorTile(page, 'Deepgram').check()
  await selectOption(page, 'Where it runs', 'On-premises container')
  await page.getByLabel('API key', { exact: true }).fill('right-key')
  await page.getByLabel('Label').fill('boston')
  await fillContainerUris(page, containerUri)
  await clickSave(page)
  await expect(page.getByText(speech.duplicateLabel('boston')).first()).toBeVisible()
  await page.getByLabel('Label').fill('salem')
  await page.getByRole('checkbox', { name: 'Use for speech-to-text' }).uncheck()
  await clickSave(page)
  await expectMessage(page, speech.added)
  await page.getByRole('link', { name: 'Edit Deepgram salem' }).click()
  await expect(heading(page, 'Edit Speech Service')).toBeVisible()
  await expect(page.getByLabel('API key', { exact: true })).toHaveJSProperty('readOnly', true)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await expectMessage(page, speech.tested)
  await expect(page.getByRole('region', { name: 'Connection test' }).getByText('Success').first()).toBeVisible()
  await page.getByLabel('Container URI for STT').fill('asr.example.com:8080')
  // A changed address requires the key again.
  await page.getByLabel('API key', { exact: true }).fill('right-key')
  await clickSave(page)
  await expectMessage(page, speech.saved)
  await page.getByRole('checkbox', { name: 'Use for text-to-speech' }).uncheck()
  await clickSave(page)
  await expectMessage(page, speech.notTested)
}

/** Deletes the open service, which a simulated server first refuses. */
const deleteService = async (page: Page) => {
  await page.route('**/v1/ServiceProviders/*/SpeechCredentials/*', (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 403, json: { msg: 'Insufficient privileges' } })
      : route.continue(),
  )
  await deleteRecord(page, 'Deepgram salem')
  await expectMessage(page, speech.mayNotRemove)
  await page.unrouteAll()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectMessage(page, speech.removed('Deepgram'))
}

/** Messages about speech services. */
export const defineSpeechTests = () => {
  test('a speech service can be added, tested, changed and deleted', async ({ page }) => {
    test.setTimeout(90_000)
    const container = await startContainer()
    const containerUri = `http://127.0.0.1:${container.port}`
    const server = await startServer({ SPEECH_PRIVATE_TARGETS: '1' })
    try {
      const api = createApiClient(server.url, server.apiKey)
      const service_provider_sid = await findDefaultProviderSid(api)
      const account_sid = await api.add('/Accounts', { name: 'Alder', service_provider_sid })
      const ada = await addUser(server, 'ada')
      await openAs(page, server, ada, '/internal/speech-services')
      await expect(page.getByText(speech.none)).toBeVisible()
      await expectFormErrors(page)
      await addServiceWithInvalidKey(page, containerUri)
      await addAndChangeValidService(page, containerUri)
      await deleteService(page)

      // Accounts can use, but not change, the speech services that their provider shares.
      const [{ speech_credential_sid }] = await api.get<[{ speech_credential_sid: string }]>(
        `/ServiceProviders/${service_provider_sid}/SpeechCredentials`,
      )
      const bob = await addUser(server, 'bob', { service_provider_sid, account_sid })
      await openAs(page, server, bob, `/internal/speech-services/${speech_credential_sid}/edit`)
      await expectMessage(page, speech.mayNotChange)
      await expect(page.getByRole('button', { name: 'Save' })).toHaveCount(0)
    } finally {
      await server.dispose()
      await container.stop()
    }
  })
}
