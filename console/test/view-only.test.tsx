import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/general'
import { messages as speech } from '@trunkline/contract/messages/speech-credential'
import { beforeAll, describe, expect, it } from 'vitest'
import { screens } from '../src/app/screens'
import { useBackend } from './render'

const { requestAs, render, testData } = useBackend()

/** Compiles all forms before the tests, so that they do not time out. */
beforeAll(async () => {
  await Promise.all(screens.filter(({ path }) => path.endsWith('/edit')).map(({ load }) => load()))
})

const findViewOnlyForm = async (title: string) => {
  const note = title === 'Speech service' ? speech.mayNotChange : messages.mayNotChange(title)
  expect(await screen.findByText(note)).toBeTruthy()
  return screen.findByRole('form')
}

/** Inputs that could change the record; panels beside the form do not count. */
const editableInputs = (element: HTMLElement) =>
  [...element.querySelectorAll<HTMLInputElement>('input:not([type="hidden"]), textarea')].filter(
    (input) => !input.readOnly && !input.disabled && !input.closest('aside'),
  )

const editScreens: [string, () => string][] = [
  ['Account', () => `/internal/accounts/${testData().accounts.acme}/edit`],
  ['User', () => `/internal/users/${testData().users.acme}/edit`],
  ['Application', () => `/internal/applications/${testData().acme.application}/edit`],
  ['Carrier', () => `/internal/carriers/${testData().acme.voip_carrier}/edit`],
  ['Phone number', () => `/internal/phone-numbers/${testData().acme.phone_number}/edit`],
  ['SIP client', () => `/internal/clients/${testData().acme.client}/edit`],
  ['Speech service', () => `/internal/speech-services/${testData().acme.speech_credential}/edit`],
  ['Routing table', () => `/internal/least-cost-routing/${testData().acme.lcr}/edit`],
]

describe('a view-only user', () => {
  it.each(editScreens)("sees a record's form without inputs or buttons to change it: %s", async (title, path) => {
    await render(path(), { as: 'viewer' })
    const form = await findViewOnlyForm(title)
    expect(form.querySelectorAll('input').length).toBeGreaterThan(0)
    expect(editableInputs(form)).toEqual([])
    expect(screen.queryByText('Save')).toBeNull()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title)
    expect(screen.queryByText('Delete')).toBeNull()
    // breadcrumbs and page title end with the record's name
    const breadcrumbs = screen.getByRole('navigation', { name: 'Breadcrumb' })
    await waitFor(() => expect(breadcrumbs.querySelector('[aria-current]')?.textContent).not.toBe(title))
    expect(within(breadcrumbs).queryByText('Edit')).toBeNull()
    expect(document.title).not.toContain('Edit')
  })

  it('sees no method of a missing webhook', async () => {
    await render(`/internal/applications/${testData().acme.application}/edit`, { as: 'viewer' })
    await findViewOnlyForm('Application')
    const methodField = (name: RegExp) => within(screen.getByRole('group', { name })).queryByLabelText('Method')
    expect(methodField(/^Calling webhook/)).toBeTruthy()
    expect(methodField(/^Messaging webhook/)).toBeNull()
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Messaging webhook/ }).placeholder).toBe('–')
    expect(screen.queryByText('Use HTTP basic authentication')).toBeNull()
  })

  it('has no button to reveal a missing secret', async () => {
    const path = `/Accounts/${testData().accounts.acme}/SpeechCredentials`
    const { sid } = await requestAs<{ sid: string }>('admin', 'POST', path, {
      vendor: 'custom:oslo',
      use_for_tts: 0,
      use_for_stt: 0,
    })
    await render(`/internal/speech-services/${sid}/edit`, { as: 'viewer' })
    await findViewOnlyForm('Speech service')
    expect(screen.getByLabelText<HTMLInputElement>('Authentication token').placeholder).toBe('–')
    expect(screen.queryByLabelText(/^Show /)).toBeNull()
  })

  it('sees no hints on filling in a field', async () => {
    await render(`/internal/users/${testData().users.acme}/edit`, { as: 'viewer' })
    await findViewOnlyForm('User')
    expect(screen.getByText('Used to log in.')).toBeTruthy()
    expect(screen.queryByText(/Leave empty/)).toBeNull()
    expect(screen.queryByText('Temporary password')).toBeNull()
  })

  it('sees the settings under their own title, with values as text', async () => {
    const north = `/Users/${testData().users.north}`
    await requestAs('admin', 'PUT', north, { is_view_only: true })
    await render('/internal/settings', { as: 'north' })
    const form = await findViewOnlyForm('Service provider')
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Settings')
    expect(form.dataset.readOnly).toBe('true')
    expect(screen.getByLabelText<HTMLInputElement>('MS Teams domain').placeholder).toBe('–')
    expect(screen.queryByText('Save')).toBeNull()
    await requestAs('admin', 'PUT', north, { is_view_only: false })
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
    const account_sid = testData().accounts.acme
    const { token } = await requestAs<{ token: string }>('account', 'POST', '/ApiKeys', { account_sid })
    await render(`/internal/accounts/${account_sid}/edit`, { as: 'viewer' })
    expect(await screen.findByText(`••••••••••••${token.slice(-4)}`)).toBeTruthy()
    expect(screen.queryByLabelText(/^(Show|Copy|Delete) key ending in/)).toBeNull()
    expect(screen.queryByText('Create API key')).toBeNull()
  })

  it('sees no hint to leave a secret empty', async () => {
    const account_sid = testData().accounts.acme
    const bucket = { vendor: 's3_compatible', endpoint: 'https://s3.example.com', name: 'recordings' }
    const bucket_credential = { ...bucket, access_key_id: 'key', secret_access_key: 'long-enough-to-be-obscured' }
    await requestAs('admin', 'PUT', `/Accounts/${account_sid}`, { bucket_credential })
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
