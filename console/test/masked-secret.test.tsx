import { screen } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/general'
import { expect, it } from 'vitest'
import { findInput } from './form-inputs'
import { useBackend } from './render'

const { render, requestAs, testData } = useBackend()

it('a secret in a form is masked, revealed on demand, and copied while masked', async () => {
  const registration = { register_username: 'me', register_password: 'secret-h4Kq' }
  await requestAs('north', 'PUT', `/VoipCarriers/${testData().acme.voip_carrier}`, registration)
  const { user } = await render(`/internal/carriers/${testData().acme.voip_carrier}/edit`, { as: 'account' })
  const secret = await findInput('Auth password')
  await user.click(screen.getByLabelText('Copy Auth password'))
  expect(await screen.findByText(messages.copied('•••••••h4Kq'))).toBeTruthy()
  expect(await navigator.clipboard.readText()).toBe('secret-h4Kq')
  expect(secret.type).toBe('password')
  await user.click(screen.getByLabelText('Show Auth password'))
  expect(secret.type).toBe('text')
})

it('a secret that the server returns masked cannot be copied', async () => {
  const client = await requestAs<{ sid: string }>('acme', 'POST', '/Clients', {
    username: 'lobby',
    password: 'secret-7',
  })
  await render(`/internal/clients/${client.sid}/edit`, { as: 'account' })
  expect((await findInput('Password')).value).toBe('sXXXXXXX')
  expect(screen.queryByLabelText('Copy Password')).toBeNull()
})
