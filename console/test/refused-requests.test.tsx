import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { requestUrl } from './hold-requests'
import { useBackend } from './render'

const { render, requestAs, backend, testData } = useBackend()

afterEach(() => void vi.restoreAllMocks())

const accountPath = () => `/Accounts/${testData().accounts.acme}`
const openForm = () => render(`/internal/accounts/${testData().accounts.acme}/edit`, { as: 'north' })
const clickButton = async (user: UserEvent, name: string) => user.click(await screen.findByRole('button', { name }))

/** Makes requests with this method and path fail. */
const failRequests = (method: string, path: string, status = 500) => {
  const send = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const isMatch = requestUrl(input).includes(path) && init?.method === method
    if (!isMatch) return send(input, init)
    // a real response takes longer than the validation of a field on blur
    await new Promise((resolve) => setTimeout(resolve, 50))
    return Response.json({ msg: 'server says no' }, { status })
  })
}

const findToast = async (text: string | RegExp = 'server says no') => {
  const toasts = within(await screen.findByRole('region', { name: 'Notifications' }))
  return toasts.findByText(text)
}

describe("a failed request shows the server's message in a toast and beside the button or field", () => {
  it('when a new webhook signing secret is generated', async () => {
    const { user } = await openForm()
    failRequests('GET', '/WebhookSecret')
    await clickButton(user, 'Generate a new secret')
    const dialog = within(await screen.findByRole('alertdialog'))
    await user.click(dialog.getByRole('button', { name: 'Generate' }))
    expect(await dialog.findByText('server says no')).toBeTruthy()
    expect(await findToast()).toBeTruthy()
  })

  it('when an API key is created', async () => {
    const { user } = await openForm()
    failRequests('POST', '/ApiKeys')
    await clickButton(user, 'Create API key')
    const dialog = within(await screen.findByRole('dialog', { name: 'Create API key' }))
    await user.click(dialog.getByRole('button', { name: 'Create' }))
    expect(await dialog.findByText('server says no')).toBeTruthy()
    expect(await findToast()).toBeTruthy()
  })

  it('when the TTS cache is cleared', async () => {
    await backend().services.cache.set(`tts:${testData().accounts.acme}:1`, 'x', 600)
    const { user } = await openForm()
    failRequests('DELETE', '/TtsCache')
    await clickButton(user, 'Clear TTS cache')
    const dialog = within(await screen.findByRole('alertdialog'))
    await user.click(dialog.getByRole('button', { name: 'Clear' }))
    expect(await dialog.findByText('server says no')).toBeTruthy()
    expect(await findToast()).toBeTruthy()
  })

  it('when a bucket is tested', async () => {
    const credential = {
      vendor: 's3_compatible',
      name: 'recordings',
      endpoint: 'http://127.0.0.1:9',
      access_key_id: 'key',
      secret_access_key: 'a secret of some length',
    }
    await requestAs('admin', 'PUT', accountPath(), { bucket_credential: credential })
    const { user } = await openForm()
    failRequests('POST', '/BucketCredentialTest')
    await clickButton(user, 'Test')
    expect(await findToast()).toBeTruthy()
    await waitFor(() => expect(screen.getAllByText('server says no')).toHaveLength(2))
  })

  it('when a limit is saved', async () => {
    const { user } = await openForm()
    const field = await screen.findByLabelText('Max calls')
    failRequests('POST', '/Limits', 422)
    await user.clear(field)
    await user.type(field, '7')
    await clickButton(user, 'Save')
    expect(await findToast()).toBeTruthy()
    await waitFor(() => expect(screen.getAllByText('server says no')).toHaveLength(2))
    expect(field.getAttribute('aria-invalid')).toBe('true')
  })
})

describe('a duplicate name of a service provider', () => {
  const duplicateMessage = 'The name you have entered is already in use.'

  it('is reported in a toast and at its field when a provider is added', async () => {
    const { user } = await render('/internal/applications', { as: 'admin' })
    await clickButton(user, 'Add service provider')
    const dialog = within(await screen.findByRole('dialog', { name: 'Add service provider' }))
    const nameField = dialog.getByLabelText(/Name/)
    await user.type(nameField, 'Southgate')
    await user.click(dialog.getByRole('button', { name: 'Add' }))
    expect(await findToast(duplicateMessage)).toBeTruthy()
    expect(dialog.getAllByText(duplicateMessage).length).toBeGreaterThan(0)
    expect(screen.queryByText(/duplicate entry/i)).toBeNull()
    expect(nameField.getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(nameField))
  })

  it('is reported in a toast and at its field when a provider is renamed', async () => {
    const { user } = await render('/internal/settings', { as: 'north' })
    const name = await screen.findByLabelText(/Service provider name/)
    await user.clear(name)
    await user.type(name, 'Southgate')
    await clickButton(user, 'Save')
    expect(await findToast(duplicateMessage)).toBeTruthy()
    await waitFor(() => expect(screen.getAllByText(duplicateMessage)).toHaveLength(2))
    expect(name.getAttribute('aria-invalid')).toBe('true')
  })
})
