import { screen, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { hostedEdition } from '../../server/test/hosted-edition'
import { useBackend } from './render'

const edition = { ...hostedEdition }
const { render, testData } = useBackend({ hostedEdition: edition })

beforeAll(() => {
  edition.serviceProviderSid = testData().providers.north
})
beforeEach(() => sessionStorage.setItem('accepted-terms', '1'))
afterEach(() => vi.restoreAllMocks())

const features = () => ({
  hosted: true,
  forgotPassword: true,
  defaultServiceProviderSid: edition.serviceProviderSid ?? null,
  passwordSettings: { min_password_length: 8, require_digit: 1, require_special_character: 1 },
})

/** Submits the form with an address and an accepted password. */
const registerWith = async (email: string) => {
  const { user } = await render('/register/email', { features: features() })
  await user.type(await screen.findByLabelText('Email'), email)
  await user.type(screen.getByLabelText('Password'), 'Another-horse-2')
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  return user
}

it('keeps a refusal of the server at its field until the input changes', async () => {
  const user = await registerWith('jö@example.com')
  expect(await screen.findByText('invalid email')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Email'))
  await user.click(screen.getByLabelText('Password'))
  expect(screen.getByText('invalid email')).toBeTruthy()
  await user.type(screen.getByLabelText('Email'), '.org')
  expect(screen.queryByText('invalid email')).toBeNull()
})

it('offers the user of a taken address to log in', async () => {
  const send = globalThis.fetch
  // only v1 servers tell that an address is taken
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    (input as string).endsWith('/register')
      ? Promise.resolve(Response.json({ msg: 'account already exists for this email' }, { status: 422 }))
      : send(input, init),
  )
  await registerWith('taken@example.com')
  const error = await screen.findByText(/^account already exists for this email/)
  const links = within(error).getAllByRole('link')
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Log in', '/'],
    ['reset the password', '/forgot-password'],
  ])
})
