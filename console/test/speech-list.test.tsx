import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { findInput, expectValue } from './form-inputs'
import { useBackend } from './render'
import { selectVendor, expectText, clickSave } from './speech-form-actions'

const { render, requestAs, testData, backend } = useBackend()

const credentialsPath = () => `/ServiceProviders/${testData().providers.north}/SpeechCredentials`
const addService = async (body: object, testResults: object = {}) => {
  const { sid } = await requestAs<{ sid: string }>('north', 'POST', credentialsPath(), body)
  if (Object.keys(testResults).length > 0)
    // as tests and voice servers store it
    await backend()
      .database.db.updateTable('speech_credentials')
      .set(testResults)
      .where('speech_credential_sid', '=', sid)
      .execute()
  return sid
}

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** The cells of a row by column heading. */
const cellsOf = (row: HTMLElement): Record<string, string> => {
  const headings = within(row.closest('table')!).getAllByRole('columnheader')
  const cells = [...row.children].map(({ textContent }) => textContent ?? '')
  return Object.fromEntries(headings.map(({ textContent }, index) => [textContent, cells[index]!]))
}

const serviceKey = (overrides: object = {}) => ({
  type: 'service_account',
  project_id: 'desk',
  client_email: 'desk@example.iam.gserviceaccount.com',
  private_key: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----\n',
  ...overrides,
})
const keyFile = (text: string) => new File([text], 'key.json', { type: 'application/json' })

describe('the list of speech services', () => {
  it.each<[string, object, object, object]>([
    [
      'used in both directions, one of which fails',
      { vendor: 'deepgram', api_key: 'k' },
      { tts_tested_ok: 1, stt_tested_ok: 0, last_used: daysAgo(3) },
      {
        Vendor: /Deepgram$/,
        'Used by': 'All accounts',
        Usage: 'TTSSuccessSTTFailed',
        'Status check': 'Partial',
        'Last used': '3 days ago',
      },
    ],
    [
      'used in one direction, which is not tested',
      { vendor: 'wellsaid', api_key: 'k' },
      {},
      { Vendor: /WellSaid$/, Usage: 'TTSNot tested', 'Status check': 'Not tested', 'Last used': 'Never used' },
    ],
    [
      'for recognition, which works',
      { vendor: 'deepgram', api_key: 'k', use_for_tts: 0 },
      { stt_tested_ok: 1, last_used: daysAgo(0) },
      { Usage: 'STTSuccess', 'Status check': 'Success', 'Last used': 'Today' },
    ],
    [
      'that fails',
      { vendor: 'soniox', api_key: 'k' },
      { stt_tested_ok: 0 },
      { Usage: 'STTFailed', 'Status check': 'Failed', 'Last used': 'Never used' },
    ],
    [
      'that is disabled',
      { vendor: 'ibm', use_for_tts: 0, use_for_stt: 0 },
      {},
      { Usage: 'Off', 'Status check': /^Not testedIn order to test your credentials you need to enable TTS\/STT\.$/ },
    ],
  ])('shows usage, status and last use of a service: %s', async (_, draft, testResults, cells) => {
    const label = crypto.randomUUID()
    await addService({ ...draft, label }, testResults)
    await render('/internal/speech-services', { as: 'provider' })
    const row = (await screen.findByText(label)).closest('tr')!
    const expectedCells = Object.entries({ Label: label, ...cells }).map(
      ([heading, text]: [string, string | RegExp]) => [
        heading,
        text instanceof RegExp ? expect.stringMatching(text) : text,
      ],
    )
    expect(cellsOf(row)).toMatchObject(Object.fromEntries(expectedCells) as object)
  })
})

describe('a saved speech service', () => {
  it('keeps its vendor, account and label', async () => {
    const sid = await addService({
      vendor: 'soniox',
      api_key: 'k',
      label: 'fixed',
      account_sid: testData().accounts.acme,
    })
    await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    expect((await findInput('Label')).readOnly).toBe(true)
    await expectValue('Account', 'acme')
    const account = await findInput('Account')
    expect(account.readOnly || account.disabled).toBe(true)
    expect(screen.queryByLabelText('Soniox', { selector: 'input[type=radio]' })).toBeNull()
    expect(screen.queryByLabelText('Vendor name')).toBeNull()
  })

  it('of Google shows the owner of its key, and keeps the key', async () => {
    const sid = await addService({ vendor: 'google', label: 'kept', service_key: JSON.stringify(serviceKey()) })
    const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    await screen.findByText('desk@example.iam.gserviceaccount.com')
    expect(screen.queryByText(/MIIEvQIBADANBg/)).toBeNull()
    expect(document.querySelector('input[type=file]')).toBeNull()
    await user.click(await findInput('Use for speech-to-text'))
    await clickSave(user)
    await expectText('Speech credential updated successfully')
    const decrypted = await backend().services.speechCredentials.decrypt(sid)
    expect(JSON.parse(String(decrypted?.fields?.service_key))).toEqual(serviceKey())
  })
})

it('replaces an unsaved Google key file with the next one, even an invalid one', async () => {
  const { user } = await render('/internal/speech-services/add', { as: 'provider' })
  await selectVendor(user, 'Google')
  await user.type(await findInput('Label'), 'chosen twice')
  const chooseFile = async (text: string) => user.upload(await findInput('Service key'), keyFile(text))
  await chooseFile(JSON.stringify(serviceKey({ client_email: 'first@example.com' })))
  await screen.findByText('first@example.com')
  await chooseFile('no key at all')
  await expectText('Invalid service key file, could not parse as JSON.')
  expect(screen.queryByText('first@example.com')).toBeNull()
  await chooseFile(JSON.stringify(serviceKey()))
  await waitFor(() => expect(screen.queryByText('Invalid service key file, could not parse as JSON.')).toBeNull())
  await clickSave(user)
  await expectText('Speech credential created successfully')
  const rows = await requestAs<{ label: string; speech_credential_sid: string }[]>('north', 'GET', credentialsPath())
  const { speech_credential_sid } = rows.find(({ label }) => label === 'chosen twice')!
  const decrypted = await backend().services.speechCredentials.decrypt(speech_credential_sid)
  expect(JSON.parse(String(decrypted?.fields?.service_key))).toEqual(serviceKey())
})
