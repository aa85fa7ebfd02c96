import { screen, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import type { Vendor } from '@trunkline/contract/speech/vendor'
import { describe, expect, it, vi } from 'vitest'
import { choose, input, offered, expectValue } from '../form-inputs'
import { useBackend } from '../render'
import { selectVendor, expectText, save, pasteText } from '../speech-form-actions'

/** An invented vendor: this description is the only code about it. */
const parrot = vi.hoisted((): Vendor => ({
  vendor: 'parrot',
  name: 'Parrot',
  synthesis: { languages: ['en-US'] },
  recognition: { languages: ['en-US'] },
  page: { name: 'Parrot cage', url: 'https://parrot.example.com/keys' },
  hasCustomVoices: true,
  fields: [
    { kind: 'secret', name: 'feather', label: 'Feather', required: true },
    { kind: 'text', name: 'cage', label: 'Cage', form: 'host-port', isImmutable: true },
    {
      kind: 'choice',
      name: 'accent',
      label: 'Accent',
      direction: 'synthesis',
      required: true,
      options: [
        { value: 'jungle', name: 'Of the jungle' },
        { value: 'ship', name: 'Of the ship' },
      ],
    },
    { kind: 'flag', name: 'cracker', label: 'Wants a cracker' },
  ],
}))
vi.mock(import('@trunkline/contract/speech/vendors/all'), async (original) => {
  const { vendors } = await original()
  return { vendors: [...vendors, parrot] }
})

const { render, ask, world, backend } = useBackend()

const base = () => `/ServiceProviders/${world().providers.north}/SpeechCredentials`
const services = (path = `${base()}?page=1&page_size=100`) =>
  ask<{ data: SpeechCredential[] }>('north', 'GET', path).then(({ data }) => data)
const make = async (body: object) => (await ask<{ sid: string }>('north', 'POST', base(), body)).sid

describe('an invented vendor', () => {
  it('has a form, validation, API responses and a list row', async () => {
    const { user } = await render('/internal/speech-services/add', { as: 'provider' })
    await selectVendor(user, 'Parrot')
    expect(screen.getByText('Parrot cage').closest('a')!.href).toBe('https://parrot.example.com/keys')
    await pasteText(user, 'Cage', 'attic')
    await save(user)
    await expectText('Feather is required.')
    await expectText('Accent is required.')
    await expectText(messages.invalid.hostPort('Cage'))
    await pasteText(user, 'Feather', 'green-and-blue')
    await pasteText(user, 'Cage', ':7777')
    await choose(user, 'Accent', 'Of the ship')
    await user.click(screen.getByLabelText('Wants a cracker'))
    await save(user)
    await expectText(messages.added)

    await screen.findByText('Parrot', { selector: 'a span' })
    const made = (await services()).find(({ vendor }) => vendor === 'parrot')!
    const shown = { feather: 'green-XXXXXXXX', cage: 'attic:7777', accent: 'ship', cracker: 1 }
    expect(made).toMatchObject(shown)
    const opened = await backend().services.speechCredentials.decrypt(made.speech_credential_sid)
    expect(opened?.fields).toEqual({ ...shown, feather: 'green-and-blue' })
    const path = `${base()}/${made.speech_credential_sid}`
    expect(await ask('north', 'PUT', path, { use_for_tts: 1, accent: '' })).toEqual({
      msg: 'invalid parrot speech credential: accent is required',
      field: 'accent',
    })
    expect(await ask('north', 'POST', base(), { vendor: 'parrot', feather: 'f', accent: 'ship', cage: 'x' })).toEqual({
      msg: messages.invalid.hostPort('cage'),
      field: 'cage',
    })
  })

  it('has an edit form that keeps its secret and its immutable fields', async () => {
    const fields = { feather: 'green-and-blue', cage: 'attic:7777', accent: 'ship', cracker: 1 }
    const sid = await make({ vendor: 'parrot', label: 'second', ...fields })
    const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    expect((await input('Cage')).readOnly).toBe(true)
    const trail = within(screen.getByLabelText('Breadcrumb'))
    expect(trail.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
      'Speech services',
      'Parrot second',
      'Edit',
    ])
    expect((await input('Feather')).readOnly).toBe(true)
    await choose(user, 'Accent', 'Of the jungle')
    await user.click(screen.getByLabelText('Use custom voices'))
    await pasteText(user, 'Name', 'Polly')
    await pasteText(user, 'Model', 'macaw')
    await save(user)
    await expectText(messages.saved)
    const opened = await backend().services.speechCredentials.decrypt(sid)
    expect(opened?.fields).toEqual({ ...fields, accent: 'jungle' })
    expect(await ask('north', 'GET', `/GoogleCustomVoices?speech_credential_sid=${sid}`)).toMatchObject([
      { name: 'Polly', model: 'macaw' },
    ])
  })

  it('is offered in applications with its custom voices, but has no test and no lists', async () => {
    const parrots = (await services()).filter(({ vendor }) => vendor === 'parrot')
    const second = parrots.find(({ label }) => label === 'second')!
    const untested = { status: 'not tested' }
    expect(await ask('north', 'GET', `${base()}/${second.speech_credential_sid}/test`)).toEqual({
      tts: untested,
      stt: untested,
    })
    const lists = `${base()}/speech/supportedLanguagesAndVoices?vendor=parrot`
    expect(await ask('north', 'GET', lists)).toMatchObject({ msg: 'Invalid vendor parrot' })

    const { user } = await render('/internal/applications/add', { as: 'provider' })
    for (const direction of ['Speech synthesis vendor', 'Speech recognizer vendor'])
      expect(await offered(user, direction)).toContain('Parrot')
    await choose(user, 'Speech synthesis vendor', 'Parrot')
    await expectValue('Synthesis language', 'en-US')
    await choose(user, 'Synthesis label', 'second')
    await choose(user, 'Voice', 'Polly')
  })
})
