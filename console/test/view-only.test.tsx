import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/general'
import { messages as speech } from '@trunkline/contract/messages/speech-credential'
import { beforeAll, describe, expect, it } from 'vitest'
import { screens } from '../src/app/screens'
import { useBackend } from './render'

const { ask, render, world } = useBackend()

/** As in habits: every form is visited here. */
beforeAll(async () => {
  await Promise.all(screens.filter(({ path }) => path.endsWith('/edit')).map(({ load }) => load()))
})

const form = async (what: string) => {
  const note = what === 'Speech service' ? speech.mayNotChange : messages.mayNotChange(what)
  expect(await screen.findByText(note)).toBeTruthy()
  return screen.findByRole('form')
}

/** Inputs that would take a change of the record; what stands beside its fields is no part of it. */
const open = (element: HTMLElement) =>
  [...element.querySelectorAll<HTMLInputElement>('input:not([type="hidden"]), textarea')].filter(
    (input) => !input.readOnly && !input.disabled && !input.closest('aside'),
  )

const edits: [string, () => string][] = [
  ['Account', () => `/internal/accounts/${world().accounts.acme}/edit`],
  ['User', () => `/internal/users/${world().users.acme}/edit`],
  ['Application', () => `/internal/applications/${world().acme.application}/edit`],
  ['Carrier', () => `/internal/carriers/${world().acme.voip_carrier}/edit`],
  ['Phone number', () => `/internal/phone-numbers/${world().acme.phone_number}/edit`],
  ['SIP client', () => `/internal/clients/${world().acme.client}/edit`],
  ['Speech service', () => `/internal/speech-services/${world().acme.speech_credential}/edit`],
  ['Outbound call route', () => `/internal/least-cost-routing/${world().acme.lcr}/edit`],
]

describe('who may look only', () => {
  it.each(edits)('sees the form of what is there without being able to change it: %s', async (what, path) => {
    await render(path(), { as: 'viewer' })
    const shown = await form(what)
    expect(shown.querySelectorAll('input').length).toBeGreaterThan(0)
    expect(open(shown)).toEqual([])
    expect(screen.queryByText('Save')).toBeNull()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(what)
    expect(screen.queryByText('Delete')).toBeNull()
    // the trail and the window end with the record's own name
    const trail = screen.getByRole('navigation', { name: 'Breadcrumb' })
    await waitFor(() => expect(trail.querySelector('[aria-current]')?.textContent).not.toBe(what))
    expect(within(trail).queryByText('Edit')).toBeNull()
    expect(document.title).not.toContain('Edit')
  })

  it('is not shown the method of a webhook that is missing', async () => {
    await render(`/internal/applications/${world().acme.application}/edit`, { as: 'viewer' })
    await form('Application')
    const methods = (name: RegExp) => within(screen.getByRole('group', { name })).queryByLabelText('Method')
    expect(methods(/^Calling webhook/)).toBeTruthy()
    expect(methods(/^Messaging webhook/)).toBeNull()
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Messaging webhook/ }).placeholder).toBe('–')
    expect(screen.queryByText('Use HTTP basic authentication')).toBeNull()
  })

  it('gets no button to show a secret that is not there', async () => {
    const path = `/Accounts/${world().accounts.acme}/SpeechCredentials`
    const { sid } = await ask<{ sid: string }>('admin', 'POST', path, { vendor: 'ibm', use_for_tts: 0, use_for_stt: 0 })
    await render(`/internal/speech-services/${sid}/edit`, { as: 'viewer' })
    await form('Speech service')
    expect(screen.getAllByPlaceholderText('–').length).toBeGreaterThan(0)
    expect(screen.queryByRole('button', { name: /^Show / })).toBeNull()
  })

  it('is not told how to fill in a field', async () => {
    await render(`/internal/users/${world().users.acme}/edit`, { as: 'viewer' })
    await form('User')
    expect(screen.getByText('Used to log in.')).toBeTruthy()
    expect(screen.queryByText(/Leave empty/)).toBeNull()
  })

  it('sees the settings under their own name, with values that look like text', async () => {
    const north = `/Users/${world().users.north}`
    await ask('admin', 'PUT', north, { is_view_only: true })
    await render('/internal/settings', { as: 'north' })
    const shown = await form('Service provider')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Settings')
    expect(shown.dataset.readOnly).toBe('true')
    expect(screen.getByLabelText<HTMLInputElement>('MS Teams domain').placeholder).toBe('–')
    expect(screen.queryByText('Save')).toBeNull()
    await ask('admin', 'PUT', north, { is_view_only: false })
  })

  it.each(['applications', 'phone-numbers', 'speech-services', 'carriers', 'clients', 'users'])(
    'has no column of boxes or actions in the list of %s',
    async (area) => {
      await render(`/internal/${area}`, { as: 'viewer' })
      await waitFor(() => expect(document.querySelector('tbody a')).toBeTruthy())
      expect(screen.queryByText('Actions')).toBeNull()
      expect(document.querySelector('table input')).toBeNull()
    },
  )

  it('sees that there are API keys, and cannot take one along', async () => {
    const account_sid = world().accounts.acme
    const { token } = await ask<{ token: string }>('account', 'POST', '/ApiKeys', { account_sid })
    await render(`/internal/accounts/${account_sid}/edit`, { as: 'viewer' })
    expect(await screen.findByText(`••••••••••••${token.slice(-4)}`)).toBeTruthy()
    expect(screen.queryByLabelText(/^(Show|Copy|Delete) key ending in/)).toBeNull()
    expect(screen.queryByText('Create API key')).toBeNull()
  })

  it('is not told to leave a secret empty that cannot be typed', async () => {
    const account_sid = world().accounts.acme
    const place = { vendor: 's3_compatible', endpoint: 'https://s3.example.com', name: 'recordings' }
    const bucket_credential = { ...place, access_key_id: 'key', secret_access_key: 'long-enough-to-be-obscured' }
    await ask('admin', 'PUT', `/Accounts/${account_sid}`, { bucket_credential })
    await render(`/internal/accounts/${account_sid}/edit`, { as: 'viewer' })
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(screen.queryByText(/Leave it empty/)).toBeNull()
  })

  it('is offered nothing to add in a list', async () => {
    await render('/internal/applications', { as: 'viewer' })
    expect(await screen.findByText('acme app')).toBeTruthy()
    expect(screen.queryByText(/^Add /)).toBeNull()
    expect(screen.queryByLabelText(/^(Edit|Delete) acme app/)).toBeNull()
  })
})
