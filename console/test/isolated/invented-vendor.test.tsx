import { screen, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import type { Vendor } from '@trunkline/contract/speech/vendor'
import { describe, expect, it, vi } from 'vitest'
import { selectOption, findInput, readOptionTexts, expectValue } from '../form-inputs'
import { useBackend } from '../render'
import { selectVendor, expectText, clickSave, pasteText } from '../speech-form-actions'

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
    { kind: 'text', name: 'cage', label: 'Cage', addressFormat: 'host-port', isImmutable: true },
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

const { render, requestAs, testData, backend } = useBackend()

const credentialsPath = () => `/ServiceProviders/${testData().providers.north}/SpeechCredentials`
const listServices = (path = `${credentialsPath()}?page=1&page_size=100`) =>
  requestAs<{ data: SpeechCredential[] }>('north', 'GET', path).then(({ data }) => data)
const addService = async (body: object) =>
  (await requestAs<{ sid: string }>('north', 'POST', credentialsPath(), body)).sid

describe('an invented vendor', () => {
  it('has a form, validation, API responses and a list row', async () => {
    const { user } = await render('/internal/speech-services/add', { as: 'provider' })
    await selectVendor(user, 'Parrot')
    expect(screen.getByText('Parrot cage').closest('a')!.href).toBe('https://parrot.example.com/keys')
    await pasteText(user, 'Cage', 'attic')
    await clickSave(user)
    await expectText('Feather is required.')
    await expectText('Accent is required.')
    await expectText(messages.invalid.hostPort('Cage'))
    await pasteText(user, 'Feather', 'green-and-blue')
    await pasteText(user, 'Cage', ':7777')
    await selectOption(user, 'Accent', 'Of the ship')
    await user.click(screen.getByLabelText('Wants a cracker'))
    await clickSave(user)
    await expectText(messages.added)

    await screen.findByText('Parrot', { selector: 'a span' })
    const storedService = (await listServices()).find(({ vendor }) => vendor === 'parrot')!
    const expectedFields = { feather: 'green-XXXXXXXX', cage: 'attic:7777', accent: 'ship', cracker: 1 }
    expect(storedService).toMatchObject(expectedFields)
    const decrypted = await backend().services.speechCredentials.decrypt(storedService.speech_credential_sid)
    expect(decrypted?.fields).toEqual({ ...expectedFields, feather: 'green-and-blue' })
    const path = `${credentialsPath()}/${storedService.speech_credential_sid}`
    expect(await requestAs('north', 'PUT', path, { use_for_tts: 1, accent: '' })).toEqual({
      msg: 'invalid parrot speech credential: accent is required',
      field: 'accent',
    })
    expect(
      await requestAs('north', 'POST', credentialsPath(), {
        vendor: 'parrot',
        feather: 'f',
        accent: 'ship',
        cage: 'x',
      }),
    ).toEqual({
      msg: messages.invalid.hostPort('cage'),
      field: 'cage',
    })
  })

  it('has an edit form that keeps its secret and its immutable fields', async () => {
    const fields = { feather: 'green-and-blue', cage: 'attic:7777', accent: 'ship', cracker: 1 }
    const sid = await addService({ vendor: 'parrot', label: 'second', ...fields })
    const { user } = await render(`/internal/speech-services/${sid}/edit`, { as: 'provider' })
    expect((await findInput('Cage')).readOnly).toBe(true)
    const breadcrumbs = within(screen.getByLabelText('Breadcrumb'))
    expect(breadcrumbs.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Speech services',
      'Parrot second',
      'Edit',
    ])
    expect((await findInput('Feather')).readOnly).toBe(true)
    await selectOption(user, 'Accent', 'Of the jungle')
    await user.click(screen.getByLabelText('Use custom voices'))
    await pasteText(user, 'Name', 'Polly')
    await pasteText(user, 'Model', 'macaw')
    await clickSave(user)
    await expectText(messages.saved)
    const decrypted = await backend().services.speechCredentials.decrypt(sid)
    expect(decrypted?.fields).toEqual({ ...fields, accent: 'jungle' })
    expect(await requestAs('north', 'GET', `/GoogleCustomVoices?speech_credential_sid=${sid}`)).toMatchObject([
      { name: 'Polly', model: 'macaw' },
    ])
  })

  it('is offered in applications with its custom voices, but has no test and no lists', async () => {
    const parrots = (await listServices()).filter(({ vendor }) => vendor === 'parrot')
    const secondService = parrots.find(({ label }) => label === 'second')!
    const notTested = { status: 'not tested' }
    expect(await requestAs('north', 'GET', `${credentialsPath()}/${secondService.speech_credential_sid}/test`)).toEqual(
      {
        tts: notTested,
        stt: notTested,
      },
    )
    const cataloguePath = `${credentialsPath()}/speech/supportedLanguagesAndVoices?vendor=parrot`
    expect(await requestAs('north', 'GET', cataloguePath)).toMatchObject({ msg: 'Invalid vendor parrot' })

    const { user } = await render('/internal/applications/add', { as: 'provider' })
    for (const label of ['Speech synthesis vendor', 'Speech recognizer vendor'])
      expect(await readOptionTexts(user, label)).toContain('Parrot')
    await selectOption(user, 'Speech synthesis vendor', 'Parrot')
    await expectValue('Synthesis language', 'en-US')
    await selectOption(user, 'Synthesis label', 'second')
    await selectOption(user, 'Voice', 'Polly')
  })
})
