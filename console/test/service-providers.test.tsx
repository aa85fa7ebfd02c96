import { screen, waitFor, within } from '@testing-library/react'
import { messages } from '@trunkline/contract/messages/service-provider'
import type { ServiceProvider } from '@trunkline/contract/shapes/service-provider'
import { expect, it } from 'vitest'
import { useBackend } from './render'

const { render, requestAs } = useBackend()

it('marks a duplicate name of a service provider at the field', async () => {
  const [{ name } = { name: '' }] = await requestAs<ServiceProvider[]>('admin', 'GET', '/ServiceProviders')
  const { user } = await render('/internal/applications', { as: 'admin' })
  await user.click(await screen.findByRole('button', { name: 'Add service provider' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add service provider' }))
  const nameField = dialog.getByLabelText(/Name/)
  await user.type(nameField, name)
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(await dialog.findByText(messages.duplicateName)).toBeTruthy()
  expect(nameField.getAttribute('aria-invalid')).toBe('true')
  await waitFor(() => expect(document.activeElement).toBe(nameField))
})
