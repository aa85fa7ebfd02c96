import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { input, expectValue } from './form-inputs'
import { useBackend } from './render'
import { selectVendor, expectText, save } from './speech-form-actions'

const { render, ask, world, backend } = useBackend()

const base = () => `/ServiceProviders/${world().providers.north}/SpeechCredentials`
const make = async (body: object, found: object = {}) => {
  const { sid } = await ask<{ sid: string }>('north', 'POST', base(), body)
  if (Object.keys(found).length > 0)
    // as tests and voice servers store it
    await backend()
      .database.db.updateTable('speech_credentials')
      .set(found)
      .where('speech_credential_sid', '=', sid)
      .execute()
  return sid
}

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 24 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')

/** The cells of a row by column heading. */
const cellsOf = (row: HTMLElement): Record<string, string> => {
  const heads = within(row.closest('table')!).getAllByRole('columnheader')
  const cells = [...row.children].map(({ textContent }) => textContent ?? '')
  return Object.fromEntries(heads.map(({ textContent }, place) => [textContent, cells[place]!]))
}

const key = (more: object = {}) => ({
  type: 'service_account',
  project_id: 'desk',
  client_email: 'desk@example.iam.gserviceaccount.com',
  private_key: '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\n-----END PRIVATE KEY-----\n',
  ...more,
})
const file = (text: string) => new File([text], 'key.json', { type: 'application/json' })

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
  ])('shows usage, status and last use of a service: %s', async (_, draft, found, cells) => {
    const label = crypto.randomUUID()
    await make({ ...draft, label }, found)
    await render('/internal/speech-services', { as: 'provider' })
    const row = (await screen.findByText(label)).closest('tr')!
    const wanted = Object.entries({ Label: label, ...cells }).map(([head, text]: [string, string | RegExp]) => [
      head,
      text instanceof RegExp ? expect.stringMatching(text) : text,
    ])
    expect(cellsOf(row)).toMatchObject(Object.fromEntries(wanted) as object)
  })
})

describe('a saved speech service', () => {
  it('keeps its vendor, account and label', async () => {
    const sid = await make({ vendor: 'soniox', api_key: 'k', label: 'fixed', account_sid: world().accounts.acme })
    await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    expect((await input('Label')).readOnly).toBe(true)
    await expectValue('Account', 'acme')
    const account = await input('Account')
    expect(account.readOnly || account.disabled).toBe(true)
    expect(screen.queryByLabelText('Soniox', { selector: 'input[type=radio]' })).toBeNull()
    expect(screen.queryByLabelText('Vendor name')).toBeNull()
  })

  it('of Google shows the owner of its key, and keeps the key', async () => {
    const sid = await make({ vendor: 'google', label: 'kept', service_key: JSON.stringify(key()) })
    const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    await screen.findByText('desk@example.iam.gserviceaccount.com')
    expect(screen.queryByText(/MIIEvQIBADANBg/)).toBeNull()
    expect(document.querySelector('input[type=file]')).toBeNull()
    await user.click(await input('Use for speech-to-text'))
    await save(user)
    await expectText('Speech credential updated successfully')
    const opened = await backend().services.speechCredentials.decrypt(sid)
    expect(JSON.parse(String(opened?.fields?.service_key))).toEqual(key())
  })
})

it('replaces an unsaved Google key file with the next one, even an invalid one', async () => {
  const { user } = await render('/internal/speech-services/add', { as: 'provider' })
  await selectVendor(user, 'Google')
  await user.type(await input('Label'), 'chosen twice')
  const choose = async (text: string) => user.upload(await input('Service key'), file(text))
  await choose(JSON.stringify(key({ client_email: 'first@example.com' })))
  await screen.findByText('first@example.com')
  await choose('no key at all')
  await expectText('Invalid service key file, could not parse as JSON.')
  expect(screen.queryByText('first@example.com')).toBeNull()
  await choose(JSON.stringify(key()))
  await waitFor(() => expect(screen.queryByText('Invalid service key file, could not parse as JSON.')).toBeNull())
  await save(user)
  await expectText('Speech credential created successfully')
  const rows = await ask<{ label: string; speech_credential_sid: string }[]>('north', 'GET', base())
  const { speech_credential_sid } = rows.find(({ label }) => label === 'chosen twice')!
  const opened = await backend().services.speechCredentials.decrypt(speech_credential_sid)
  expect(JSON.parse(String(opened?.fields?.service_key))).toEqual(key())
})
