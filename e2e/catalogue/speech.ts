import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messages as speech } from '../../contract/src/messages/speech-credential'
import { createApiClient, firstProvider } from '../../scripts/launch/api'
import { expectMessage } from '../support/catalogue'
import { addUser, openAs } from '../../scripts/launch/users'
import { selectOption, heading, deleteRecord, clickSave } from '../support/screen'
import { startServer } from '../../scripts/launch/server'
import { expect, test } from '../support/test'

/** A double of a vendor's self-hosted container, which accepts one key. */
const startContainer = async () => {
  const server = createServer((request, response) => {
    const known = request.headers.authorization === 'Token right-key'
    response.writeHead(known ? 200 : 401, { 'content-type': known ? 'audio/mpeg' : 'application/json' })
    response.end(known ? 'ID3 hello' : JSON.stringify({ err_msg: 'Invalid credentials.' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, stop: () => new Promise((done) => server.close(done)) }
}

/** Messages about speech services. */
export const speechJourneys = () => {
  test('a speech service can be added, tested, changed and deleted', async ({ page }) => {
    test.setTimeout(90_000)
    const container = await startContainer()
    const server = await startServer({ SPEECH_PRIVATE_TARGETS: '1' })
    try {
      const api = createApiClient(server.url, server.apiKey)
      const service_provider_sid = await firstProvider(api)
      const account_sid = await api.add('/Accounts', { name: 'Alder', service_provider_sid })
      const ada = await addUser(server, 'ada')
      await openAs(page, server, ada, '/internal/speech-services')
      await expect(page.getByText(speech.none)).toBeVisible()
      await page.getByRole('link', { name: 'Add speech service' }).click()

      await clickSave(page)
      await expect(page.getByText(speech.vendorMissing)).toBeVisible()
      const vendor = (name: string) => page.getByRole('radio', { name, exact: true })
      await vendor('Google').check()
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

      // Another vendor starts with an empty form.
      await vendor('Deepgram').check()
      await selectOption(page, 'Where it runs', 'On-premises container')
      await page.getByLabel('API key', { exact: true }).fill('wrong-key')
      await page.getByLabel('Label').fill('boston')
      await page.getByRole('checkbox', { name: 'Use for speech-to-text' }).uncheck()
      for (const part of ['STT', 'TTS']) await page.getByLabel(`Container URI for ${part}`).fill('localhost')
      await clickSave(page)
      await expect(page.getByText(speech.invalid.hostPortOrUrl('Container URI for TTS'))).toBeVisible()
      for (const part of ['STT', 'TTS'])
        await page.getByLabel(`Container URI for ${part}`).fill(`http://127.0.0.1:${container.port}`)
      await clickSave(page)
      await expectMessage(page, speech.added)

      await page.getByRole('button', { name: 'Test Deepgram boston' }).click()
      await expect(page.getByText('Failed').last()).toBeVisible()

      // Keys cannot be changed, so a second service gets the valid key.
      await page.getByRole('link', { name: 'Add speech service' }).click()
      await vendor('Deepgram').check()
      await selectOption(page, 'Where it runs', 'On-premises container')
      await page.getByLabel('API key', { exact: true }).fill('right-key')
      await page.getByLabel('Label').fill('boston')
      for (const part of ['STT', 'TTS'])
        await page.getByLabel(`Container URI for ${part}`).fill(`http://127.0.0.1:${container.port}`)
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
      // Changing the address requires the key again.
      await page.getByLabel('API key', { exact: true }).fill('right-key')
      await clickSave(page)
      await expectMessage(page, speech.saved)
      await page.getByRole('checkbox', { name: 'Use for text-to-speech' }).uncheck()
      await clickSave(page)
      await expectMessage(page, speech.notTested)
      // Simulates a server that refuses the deletion.
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
