import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { useBackend, type Screen } from './render'

const { render, ask, backend, world } = useBackend()

afterEach(() => void vi.restoreAllMocks())

const account = () => `/Accounts/${world().accounts.acme}`
const open = () => render(`/internal/accounts/${world().accounts.acme}/edit`, { as: 'north' })
const press = async (user: Screen['user'], name: string) => user.click(await screen.findByRole('button', { name }))

/** Lets the server refuse the calls to one path by one method. */
const refuse = (method: string, path: string) => {
  const send = globalThis.fetch
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    String(input instanceof Request ? input.url : input).includes(path) && init?.method === method
      ? Promise.resolve(Response.json({ msg: 'server says no' }, { status: 500 }))
      : send(input, init),
  )
}

const toast = async () => {
  const toasts = within(await screen.findByRole('region', { name: 'Notifications' }))
  return toasts.findByText('server says no')
}

describe('a refused call shows a toast with the words of the server, beside the words in place', () => {
  it('when a new webhook signing secret is made', async () => {
    const { user } = await open()
    refuse('GET', '/WebhookSecret')
    await press(user, 'Generate a new secret')
    const dialog = within(await screen.findByRole('alertdialog'))
    await user.click(dialog.getByRole('button', { name: 'Generate' }))
    expect(await dialog.findByText('server says no')).toBeTruthy()
    expect(await toast()).toBeTruthy()
  })

  it('when the TTS cache is cleared', async () => {
    await backend().services.cache.set(`tts:${world().accounts.acme}:1`, 'x', 600)
    const { user } = await open()
    refuse('DELETE', '/TtsCache')
    await press(user, 'Clear TTS cache')
    const dialog = within(await screen.findByRole('alertdialog'))
    await user.click(dialog.getByRole('button', { name: 'Clear' }))
    expect(await dialog.findByText('server says no')).toBeTruthy()
    expect(await toast()).toBeTruthy()
  })

  it('when a bucket is tested', async () => {
    const bucket = {
      vendor: 's3_compatible',
      name: 'recordings',
      endpoint: 'http://127.0.0.1:9',
      access_key_id: 'key',
      secret_access_key: 'a secret of some length',
    }
    await ask('admin', 'PUT', account(), { bucket_credential: bucket })
    const { user } = await open()
    refuse('POST', '/BucketCredentialTest')
    await press(user, 'Test')
    expect(await toast()).toBeTruthy()
    expect(screen.getAllByText('server says no')).toHaveLength(2)
  })
})
