import { screen } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/general'
import { expect, it } from 'vitest'
import { input } from './form-inputs'
import { useBackend } from './render'

const { render, ask, world } = useBackend()

it('a secret in a form is masked, revealed on demand, and copied while masked', async () => {
  const login = { register_username: 'me', register_password: 'secret-h4Kq' }
  await ask('north', 'PUT', `/VoipCarriers/${world().acme.voip_carrier}`, login)
  const { user } = await render(`/internal/carriers/${world().acme.voip_carrier}/edit`, { as: 'account' })
  const secret = await input('Auth password')
  await user.click(screen.getByLabelText('Copy Auth password'))
  expect(await screen.findByText(messages.copied('•••••••h4Kq'))).toBeTruthy()
  expect(await navigator.clipboard.readText()).toBe('secret-h4Kq')
  expect(secret.type).toBe('password')
  await user.click(screen.getByLabelText('Show Auth password'))
  expect(secret.type).toBe('text')
})

it('a secret that the server returns masked cannot be copied', async () => {
  const client = await ask<{ sid: string }>('acme', 'POST', '/Clients', { username: 'lobby', password: 'secret-7' })
  await render(`/internal/clients/${client.sid}/edit`, { as: 'account' })
  expect((await input('Password')).value).toBe('sXXXXXXX')
  expect(screen.queryByLabelText('Copy Password')).toBeNull()
})
