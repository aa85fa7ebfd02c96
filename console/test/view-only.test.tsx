import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/general'
import { messages as speech } from '@trunkline/contract/messages/speech-credential'
import { beforeAll, describe, expect, it } from 'vitest'
import { screens } from '../src/app/screens'
import { useBackend } from './render'

const { ask, render, world } = useBackend()

/** Compiles all forms before the tests, so that they do not time out. */
beforeAll(async () => {
  await Promise.all(screens.filter(({ path }) => path.endsWith('/edit')).map(({ load }) => load()))
})

const form = async (what: string) => {
  const note = what === 'Speech service' ? speech.mayNotChange : messages.mayNotChange(what)
  expect(await screen.findByText(note)).toBeTruthy()
  return screen.findByRole('form')
}

/** Inputs that could change the record; panels beside the form do not count. */
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

describe('a view-only user', () => {
  it.each(edits)("sees a record's form without inputs or buttons to change it: %s", async (what, path) => {
    await render(path(), { as: 'viewer' })
    const shown = await form(what)
    expect(shown.querySelectorAll('input').length).toBeGreaterThan(0)
    expect(open(shown)).toEqual([])
    expect(screen.queryByText('Save')).toBeNull()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(what)
    expect(screen.queryByText('Delete')).toBeNull()
    // breadcrumbs and page title end with the record's name
    const trail = screen.getByRole('navigation', { name: 'Breadcrumb' })
    await waitFor(() => expect(trail.querySelector('[aria-current]')?.textContent).not.toBe(what))
    expect(within(trail).queryByText('Edit')).toBeNull()
    expect(document.title).not.toContain('Edit')
  })

  it('sees no method of a missing webhook', async () => {
    await render(`/internal/applications/${world().acme.application}/edit`, { as: 'viewer' })
    await form('Application')
    const methods = (name: RegExp) => within(screen.getByRole('group', { name })).queryByLabelText('Method')
    expect(methods(/^Calling webhook/)).toBeTruthy()
    expect(methods(/^Messaging webhook/)).toBeNull()
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Messaging webhook/ }).placeholder).toBe('–')
    expect(screen.queryByText('Use HTTP basic authentication')).toBeNull()
  })

  it('has no button to reveal a missing secret', async () => {
    const path = `/Accounts/${world().accounts.acme}/SpeechCredentials`
    const { sid } = await ask<{ sid: string }>('admin', 'POST', path, {
      vendor: 'custom:oslo',
      use_for_tts: 0,
      use_for_stt: 0,
    })
    await render(`/internal/speech-services/${sid}/edit`, { as: 'viewer' })
    await form('Speech service')
    expect(screen.getByLabelText<HTMLInputElement>('Authentication token').placeholder).toBe('–')
    expect(screen.queryByLabelText(/^Show /)).toBeNull()
  })

  it('sees no hints on filling in a field', async () => {
    await render(`/internal/users/${world().users.acme}/edit`, { as: 'viewer' })
    await form('User')
    expect(screen.getByText('Used to log in.')).toBeTruthy()
    expect(screen.queryByText(/Leave empty/)).toBeNull()
    expect(screen.queryByText('Temporary password')).toBeNull()
  })

  it('sees the settings under their own title, with values as text', async () => {
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
    'sees no checkboxes or actions in the list of %s',
    async (area) => {
      await render(`/internal/${area}`, { as: 'viewer' })
      await waitFor(() => expect(document.querySelector('tbody a')).toBeTruthy())
      expect(screen.queryByText('Actions')).toBeNull()
      expect(document.querySelector('table input')).toBeNull()
    },
  )

  it('sees API keys without being able to reveal or copy them', async () => {
    const account_sid = world().accounts.acme
    const { token } = await ask<{ token: string }>('account', 'POST', '/ApiKeys', { account_sid })
    await render(`/internal/accounts/${account_sid}/edit`, { as: 'viewer' })
    expect(await screen.findByText(`••••••••••••${token.slice(-4)}`)).toBeTruthy()
    expect(screen.queryByLabelText(/^(Show|Copy|Delete) key ending in/)).toBeNull()
    expect(screen.queryByText('Create API key')).toBeNull()
  })

  it('sees no hint to leave a secret empty', async () => {
    const account_sid = world().accounts.acme
    const place = { vendor: 's3_compatible', endpoint: 'https://s3.example.com', name: 'recordings' }
    const bucket_credential = { ...place, access_key_id: 'key', secret_access_key: 'long-enough-to-be-obscured' }
    await ask('admin', 'PUT', `/Accounts/${account_sid}`, { bucket_credential })
    await render(`/internal/accounts/${account_sid}/edit`, { as: 'viewer' })
    expect(await screen.findByText('Saved.')).toBeTruthy()
    expect(screen.queryByText(/Leave it empty/)).toBeNull()
  })

  it('sees no Add button in a list', async () => {
    await render('/internal/applications', { as: 'viewer' })
    expect(await screen.findByText('acme app')).toBeTruthy()
    expect(screen.queryByText(/^Add /)).toBeNull()
    expect(screen.queryByLabelText(/^(Edit|Delete) acme app/)).toBeNull()
  })
})
