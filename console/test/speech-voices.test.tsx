import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findInput } from './form-inputs'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'
import { selectVendor, expectText, clickSave } from './speech-form-actions'

const { render, requestAs, testData } = useBackend()

const credentialsPath = () => `/ServiceProviders/${testData().providers.north}/SpeechCredentials`
const serviceKey = JSON.stringify({ private_key: 'k', client_email: 'a@b.c' })
const readVoiceNames = async (sid: string) => {
  const voices = await requestAs<{ name: string }[]>('north', 'GET', `/GoogleCustomVoices?speech_credential_sid=${sid}`)
  return voices.map(({ name }) => name).sort()
}
const addServiceWithVoices = async (...names: string[]) => {
  const draft = { vendor: 'google', label: crypto.randomUUID(), service_key: serviceKey }
  const { sid } = await requestAs<{ sid: string }>('north', 'POST', credentialsPath(), draft)
  for (const name of names)
    await requestAs('north', 'POST', '/GoogleCustomVoices', { speech_credential_sid: sid, name, model: 'm' })
  return sid
}
let refusedName: string | undefined
/** Makes the server refuse new voices with this name. */
const refuseVoice = (name: string | undefined) => (refusedName = name)
/** Counts the requests for voices by method. */
const watchVoiceRequests = () => {
  const send = globalThis.fetch
  const methods: string[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (!requestUrl(input).includes('/GoogleCustomVoices')) return send(input, init)
    const { method = 'GET', body } = init ?? {}
    methods.push(method)
    const isRefused = typeof body === 'string' && body.includes(`"name":"${refusedName}"`)
    return isRefused ? Response.json({ msg: 'no' }, { status: 422 }) : send(input, init)
  })
  return (method: string) => methods.filter((candidate) => candidate === method).length
}
afterEach(() => {
  vi.restoreAllMocks()
  refusedName = undefined
})
const findVoicesCheckbox = async () => findInput('Use custom voices')

describe('the custom voices of a speech service', () => {
  it('are not saved if text-to-speech is off', async () => {
    const { user } = await render('/internal/speech-services/add', { as: 'provider' })
    await selectVendor(user, 'Google')
    const file = new File([serviceKey], 'key.json', { type: 'application/json' })
    await user.upload(await findInput('Service key'), file)
    await user.type(await findInput('Label'), 'listens')
    await user.click(await findVoicesCheckbox())
    await user.click(screen.getByLabelText('Use for text-to-speech'))
    expect(screen.queryByLabelText('Use custom voices')).toBeNull()
    await clickSave(user)
    await expectText(messages.added)
    const rows = await requestAs<{ label: string; speech_credential_sid: string }[]>('north', 'GET', credentialsPath())
    expect(await readVoiceNames(rows.find(({ label }) => label === 'listens')!.speech_credential_sid)).toEqual([])
  })

  it('are kept while text-to-speech is off', async () => {
    const sid = await addServiceWithVoices('Ann')
    const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    await findVoicesCheckbox()
    await user.click(screen.getByLabelText('Use for text-to-speech'))
    await clickSave(user)
    await expectText(messages.saved)
    expect(await readVoiceNames(sid)).toEqual(['Ann'])
  })

  it('are deleted together after a confirmation with their number', async () => {
    const sid = await addServiceWithVoices('Ann', 'Bob')
    const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    await user.click(await findVoicesCheckbox())
    const findDialog = () => screen.findByRole('alertdialog')
    expect(within(await findDialog()).getByText(messages.confirmVoiceRemoval(2))).toBeTruthy()
    await user.click(within(await findDialog()).getByText('Cancel'))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect((await findVoicesCheckbox()).checked).toBe(true)
    expect(screen.getByLabelText('Custom voice 2')).toBeTruthy()
    await user.click(await findVoicesCheckbox())
    await user.click(within(await findDialog()).getByText('Delete'))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(screen.queryByLabelText('Custom voice 1')).toBeNull()
    expect(await readVoiceNames(sid)).toEqual(['Ann', 'Bob'])
    await clickSave(user)
    await expectText(messages.saved)
    await waitFor(async () => expect(await readVoiceNames(sid)).toEqual([]))
    // without voices no confirmation is needed
    await user.click(await findVoicesCheckbox())
    await user.click(await findVoicesCheckbox())
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('are stored once, even if the first attempt to save stores only some of them', async () => {
    const sid = await addServiceWithVoices('Ann')
    const requestsOf = watchVoiceRequests()
    const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    await findVoicesCheckbox()
    for (const [index, name] of ['Bob', 'Eve'].entries()) {
      await user.click(screen.getByText('Add custom voice'))
      const row = within(await screen.findByLabelText(`Custom voice ${index + 2}`))
      await user.type(row.getByLabelText(/^Name/), name)
      await user.type(row.getByLabelText(/^Model/), 'm')
    }
    refuseVoice('Eve')
    await clickSave(user)
    await expectText(messages.voicesNotSaved)
    expect(await readVoiceNames(sid)).toEqual(['Ann', 'Bob'])
    // the form reads the service again after the error
    await waitFor(() => expect(requestsOf('GET')).toBe(2))
    refuseVoice(undefined)
    await clickSave(user)
    await expectText(messages.saved)
    expect(await readVoiceNames(sid)).toEqual(['Ann', 'Bob', 'Eve'])
    expect(requestsOf('POST')).toBe(3)
    expect(requestsOf('DELETE')).toBe(0)
  })
})
