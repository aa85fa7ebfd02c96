import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { messages as general } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { describe, expect, it, vi } from 'vitest'
import { createSpeech } from '../../server/src/adapters/speech/speech-by-vendor'
import { startSpeechVendors, vendors } from '../../server/test/doubles/speech-vendors'
import { selectOption, findInput, readOptionTexts } from './form-inputs'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'
import { selectVendor, expectText, clickSave, pasteText } from './speech-form-actions'

const doubles = await startSpeechVendors()
const { render, requestAs, testData } = useBackend(
  {},
  { speech: createSpeech({ allowPrivateTargets: true, rewriteUrl: doubles.redirectUrl, timeoutMs: 3_000 }) },
)

const credentialsPath = () => `/ServiceProviders/${testData().providers.north}/SpeechCredentials`
const listServices = (path = `${credentialsPath()}?page=1&page_size=100`) =>
  requestAs<{ data: SpeechCredential[] }>('north', 'GET', path).then(({ data }) => data)
const addService = async (body: object) =>
  (await requestAs<{ sid: string }>('north', 'POST', credentialsPath(), body)).sid

describe('speech services', () => {
  it('focus the choice of a vendor first', async () => {
    await render('/internal/speech-services/add', { as: 'provider' })
    const firstRadio = (await screen.findAllByRole('radio'))[0]
    await waitFor(() => expect(document.activeElement).toBe(firstRadio))
  })

  it('reset the form for another vendor, and send nothing of the previous one', async () => {
    const { user } = await render('/internal/speech-services/add', { as: 'provider' })
    await selectVendor(user, 'Microsoft')
    await pasteText(user, 'API key', 'azure-key')
    await selectOption(user, 'Region', 'Europe - West (westeurope)')
    await selectVendor(user, 'Gladia')
    expect((await findInput('API key')).value).toBe('')
    await pasteText(user, 'API key', 'gladia-key')
    await selectOption(user, 'Region', 'EU West')
    await clickSave(user)
    await expectText(messages.added)
    const storedService = (await listServices()).find(({ vendor }) => vendor === 'gladia')!
    expect(storedService).toMatchObject({ api_key: 'gladiaXXXX', region: 'eu-west', use_for_tts: 0, use_for_stt: 1 })
  })

  const keyFile = (text: string) => new File([text], 'key.json', { type: 'application/json' })

  it('of Google require a valid key file and at least one custom voice', async () => {
    const { user } = await render('/internal/speech-services/add', { as: 'provider' })
    await selectVendor(user, 'Google')
    await user.upload(await findInput('Service key'), keyFile('{"private_key":"x"}'))
    await expectText(messages.serviceKey)
    await user.click(screen.getByLabelText('Use custom voices'))
    await user.click(screen.getByLabelText('Delete custom voice 1'))
    await clickSave(user)
    await expectText(messages.voiceRequired)
  })

  it('of Google are saved with their voices', async () => {
    const { user } = await render('/internal/speech-services/add', { as: 'provider' })
    await selectVendor(user, 'Google')
    await user.upload(
      await findInput('Service key'),
      keyFile(JSON.stringify({ private_key: 'k', client_email: 'a@b.c' })),
    )
    await user.click(screen.getByLabelText('Use custom voices'))
    await pasteText(user, 'Name', 'Receptionist')
    const modelFields = await screen.findAllByLabelText(/^Model/)
    await user.click(modelFields.at(-1)!)
    await user.paste('projects/1/models/2')
    await clickSave(user)
    await expectText(messages.added)
    const rows = await listServices()
    const google = rows.find(({ vendor, label, account_sid }) => vendor === 'google' && !label && !account_sid)!
    const path = `/GoogleCustomVoices?speech_credential_sid=${google.speech_credential_sid}`
    expect(await requestAs<object[]>('north', 'GET', path)).toMatchObject([
      { name: 'Receptionist', reported_usage: 'REALTIME', use_voice_cloning_key: 0, model: 'projects/1/models/2' },
    ])
  })

  it('are created again with the current values after a voice was refused', async () => {
    const realFetch = globalThis.fetch
    const fetchSpy = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      const url = requestUrl(input)
      if (!url.endsWith('/GoogleCustomVoices') || (init?.method ?? 'GET') !== 'POST') return realFetch(input, init)
      return Promise.resolve(Response.json({ msg: 'this voice is not wanted' }, { status: 422 }))
    })
    try {
      const { user } = await render('/internal/speech-services/add', { as: 'provider' })
      await selectVendor(user, 'Google')
      await pasteText(user, 'Label', 'first attempt')
      await user.upload(
        await findInput('Service key'),
        keyFile(JSON.stringify({ private_key: 'k', client_email: 'a@b.c' })),
      )
      await user.click(screen.getByLabelText('Use custom voices'))
      await pasteText(user, 'Name', 'Receptionist')
      await user.click((await screen.findAllByLabelText(/^Model/)).at(-1)!)
      await user.paste('projects/1/models/2')
      await clickSave(user)
      await expectText(messages.voicesNotSaved)
      await expectText('this voice is not wanted')
      const label = await findInput('Label')
      await user.clear(label)
      await user.type(label, 'second attempt')
      await user.click(screen.getByLabelText('Use custom voices'))
      await clickSave(user)
      await expectText(messages.added)
      const labels = (await listServices()).filter(({ vendor }) => vendor === 'google').map(({ label }) => label)
      expect(labels).toContain('second attempt')
      expect(labels).not.toContain('first attempt')
    } finally {
      fetchSpy.mockRestore()
    }
  })

  it('of an account user belong to their account, with its API paths', async () => {
    const { user } = await render('/internal/speech-services/add', { as: 'account' })
    await selectVendor(user, 'Custom')
    expect(screen.queryByLabelText('Account')).toBeNull()
    await pasteText(user, 'Vendor name', 'mill')
    await user.click(screen.getByLabelText('Use for text-to-speech'))
    await pasteText(user, 'STT WebSocket URL', 'wss://mill.example.com/')
    await clickSave(user)
    await expectText(messages.added)
    const storedService = (await listServices()).find(({ vendor }) => vendor === 'custom:mill')
    expect(storedService).toMatchObject({
      account_sid: testData().accounts.acme,
      use_for_tts: 0,
      custom_stt_url: 'wss://mill.example.com/',
    })
    await screen.findByText('mill (custom)', { selector: 'a span' })
    // shared services can be used, but not changed
    const row = (await screen.findByText('North shared')).closest('tr')!
    expect(within(row).queryByLabelText(/^Delete/)).toBeNull()
  })

  it('are tested, and show the result of each direction', async () => {
    const sid = await addService({
      vendor: 'ibm',
      label: 'tried',
      use_for_stt: 0,
      tts_region: 'eu-de',
      tts_api_key: 'wrong-key',
    })
    const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    const testPanel = within(await screen.findByLabelText('Connection test'))
    expect(testPanel.getAllByText('Not tested')).not.toHaveLength(0)
    await user.click(testPanel.getByText('Test'))
    await waitFor(() => expect(testPanel.queryAllByText('Failed')).not.toHaveLength(0))
    expect(within(testPanel.getByLabelText('Text-to-speech')).getByText('invalid api_key or region')).toBeDefined()
    expect(within(testPanel.getByLabelText('Speech-to-text')).getByText('Off')).toBeDefined()

    // another region has no result, even if a test is still running
    doubles.state.behavior = 'noResponse'
    await user.click(testPanel.getByText('Test'))
    await testPanel.findByText('Testing')
    await selectOption(user, 'TTS region', 'EU GB (London)')
    await clickSave(user)
    await expectText(messages.saved)
    doubles.state.behavior = 'normal'
    await waitFor(() => expect(testPanel.queryAllByText('Not tested')).not.toHaveLength(0))
    expect(testPanel.queryByText('invalid api_key or region')).toBeNull()
    expect(screen.queryByText(general.failed)).toBeNull()

    await user.click(screen.getByLabelText('Use for text-to-speech'))
    await clickSave(user)
    await expectText(messages.saved)
    await expectText(messages.notTested)
  })

  it('show why the vendor could not be reached, and can be tested again', async () => {
    const sid = await addService({ vendor: 'soniox', label: 'under test', ...vendors.soniox!.credential })
    const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    const testPanel = within(await screen.findByLabelText('Connection test'))
    for (const [behavior, message] of [
      ['noResponse', 'The vendor did not respond in time. Try again later.'],
      ['serverError', 'The vendor has an internal error (status 503). Try again later.'],
      ['expiredCredential', vendors.soniox!.messageToUser],
      ['htmlPage', 'The vendor sent an unexpected response.'],
    ] as const) {
      doubles.state.behavior = behavior
      await user.click(testPanel.getByText('Test'))
      await waitFor(() => expect(testPanel.queryByText(message), message).not.toBeNull())
      expect(testPanel.getAllByText('Failed')).not.toHaveLength(0)
    }
    doubles.state.behavior = 'normal'
    await user.click(testPanel.getByText('Test'))
    await waitFor(() => expect(testPanel.queryAllByText('Success')).not.toHaveLength(0))
  })

  it('keep the form if the key file is too long', async () => {
    const { user } = await render('/internal/speech-services/add', { as: 'provider' })
    await selectVendor(user, 'Google')
    await pasteText(user, 'Label', 'long')
    const longKey = JSON.stringify({ private_key: 'k'.repeat(20_000), client_email: 'a@b.c' })
    await user.upload(await findInput('Service key'), keyFile(longKey))
    await clickSave(user)
    await expectText(messages.tooLong('Service key'))
    expect((await findInput('Label')).value).toBe('long')
    await user.upload(
      await findInput('Service key'),
      keyFile(JSON.stringify({ private_key: 'k', client_email: 'a@b.c' })),
    )
    await clickSave(user)
    await expectText(messages.added)
  })

  it.each([
    ['provider', ['Access key', 'Assume role']],
    ['admin', ['Access key', 'Assume role', 'Instance profile']],
  ] as const)('of AWS offer the instance profile to administrators only: %s', async (as, expectedTypes) => {
    const { user } = await render('/internal/speech-services/add', { as })
    await selectVendor(user, 'AWS')
    await waitFor(async () => expect(await readOptionTexts(user, 'Credential type')).toEqual(expectedTypes))
  })

  it('explain a missing result if there was nothing to test', async () => {
    const sid = await addService({ vendor: 'nvidia', label: 'riva', riva_server_uri: 'riva:50051' })
    const { user } = await render('/internal/speech-services', { as: 'provider' })
    const row = () => within(screen.getByText('riva').closest('tr')!)
    await screen.findByText('riva')
    // not tested yet, and nothing prevents a test
    expect(row().getAllByText('Not tested')).not.toHaveLength(0)
    expect(row().queryByText(messages.notTested)).toBeNull()
    await user.click(row().getByLabelText('Test Nvidia riva'))
    await waitFor(() => expect(row().getByText(messages.notTested)).toBeTruthy())
    await requestAs('north', 'DELETE', `${credentialsPath()}/${sid}`)
  })

  it('hide additional vendors if the feature is disabled', async () => {
    await render('/internal/speech-services/add', { as: 'provider', features: { additionalSpeech: false } })
    await screen.findByLabelText('Soniox', { selector: 'input[type=radio]' })
    expect(screen.queryByLabelText('Speechmatics')).toBeNull()
  })

  it('that are shared open read-only for account users, with the reason', async () => {
    const { currentPath } = await render('/internal/speech-services', { as: 'account' })
    const sharedPath = `/internal/speech-services/${testData().shared.north.speech_credential}/edit`
    await waitFor(() => expect(document.querySelector(`a[href="${sharedPath}"]`)).toBeTruthy())
    fireEvent.click(document.querySelector(`a[href="${sharedPath}"]`)!)
    await screen.findByRole('heading', { level: 1, name: 'Edit Speech Service' })
    expect((await screen.findByRole('note')).textContent).toBe(messages.mayNotChange)
    expect(screen.getByLabelText<HTMLInputElement>('Label').readOnly).toBe(true)
    expect(currentPath()).toBe(sharedPath)
  })

  it('of another account redirect to the list', async () => {
    await render(`/internal/speech-services/${testData().bolt.speech_credential}/edit`, { as: 'account' })
    await expectText(messages.mayNotChange)
    await screen.findByText('Add speech service')
  })
})
