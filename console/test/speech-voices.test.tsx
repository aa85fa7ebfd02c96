import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/speech-credential'
import { describe, expect, it } from 'vitest'
import { input } from './form-inputs'
import { useBackend } from './render'
import { selectVendor, expectText, save } from './speech-form-actions'

const { render, ask, world } = useBackend()

const base = () => `/ServiceProviders/${world().providers.north}/SpeechCredentials`
const service_key = JSON.stringify({ private_key: 'k', client_email: 'a@b.c' })
const namesOf = async (sid: string) => {
  const voices = await ask<{ name: string }[]>('north', 'GET', `/GoogleCustomVoices?speech_credential_sid=${sid}`)
  return voices.map(({ name }) => name).sort()
}
const withVoices = async (...names: string[]) => {
  const draft = { vendor: 'google', label: crypto.randomUUID(), service_key }
  const { sid } = await ask<{ sid: string }>('north', 'POST', base(), draft)
  for (const name of names)
    await ask('north', 'POST', '/GoogleCustomVoices', { speech_credential_sid: sid, name, model: 'm' })
  return sid
}
const tick = async () => input('Use custom voices')

describe('the custom voices of a speech service', () => {
  it('are not saved if text-to-speech is off', async () => {
    const { user } = await render('/internal/speech-services/add', { as: 'provider' })
    await selectVendor(user, 'Google')
    const file = new File([service_key], 'key.json', { type: 'application/json' })
    await user.upload(await input('Service key'), file)
    await user.type(await input('Label'), 'listens')
    await user.click(await tick())
    await user.click(screen.getByLabelText('Use for text-to-speech'))
    expect(screen.queryByLabelText('Use custom voices')).toBeNull()
    await save(user)
    await expectText(messages.added)
    const rows = await ask<{ label: string; speech_credential_sid: string }[]>('north', 'GET', base())
    expect(await namesOf(rows.find(({ label }) => label === 'listens')!.speech_credential_sid)).toEqual([])
  })

  it('are kept while text-to-speech is off', async () => {
    const sid = await withVoices('Ann')
    const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    await tick()
    await user.click(screen.getByLabelText('Use for text-to-speech'))
    await save(user)
    await expectText(messages.saved)
    expect(await namesOf(sid)).toEqual(['Ann'])
  })

  it('are deleted together after a confirmation with their number', async () => {
    const sid = await withVoices('Ann', 'Bob')
    const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    await user.click(await tick())
    const question = () => screen.findByRole('alertdialog')
    expect(within(await question()).getByText(messages.confirmVoiceRemoval(2))).toBeTruthy()
    await user.click(within(await question()).getByText('Cancel'))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect((await tick()).checked).toBe(true)
    expect(screen.getByLabelText('Custom voice 2')).toBeTruthy()
    await user.click(await tick())
    await user.click(within(await question()).getByText('Delete'))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(screen.queryByLabelText('Custom voice 1')).toBeNull()
    expect(await namesOf(sid)).toEqual(['Ann', 'Bob'])
    await save(user)
    await expectText(messages.saved)
    await waitFor(async () => expect(await namesOf(sid)).toEqual([]))
    // without voices no confirmation is needed
    await user.click(await tick())
    await user.click(await tick())
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })
})
