import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { EmailMessage } from '../../server/src/ports/mail'
import { rootDomain, useHostedBackend } from './hosted-backend'

const emails: EmailMessage[] = []
const mail = {
  send: (email: EmailMessage) => {
    emails.push(email)
    return Promise.resolve()
  },
  close: () => undefined,
}
const { render, backend, testData, edition } = useHostedBackend({ mail })

const newPassword = 'Another-horse-2'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** The feature flags of the hosted edition, as /config.json contains them. */
const hostedFeatures = () => ({
  hosted: true,
  defaultServiceProviderSid: edition.serviceProviderSid ?? null,
  passwordSettings: { min_password_length: 8, require_digit: 1, require_special_character: 1 },
  termsUrl: 'https://voice.example.com/terms',
  privacyUrl: 'https://voice.example.com/privacy',
})
const oauthFeatures = () => ({ ...hostedFeatures(), githubClientId: 'github-client', googleClientId: 'google-client' })

const getText = ({ textContent }: HTMLElement) => textContent?.trim()
const findTitle = (name: string) => screen.findByRole('heading', { level: 1, name })
const findButton = (name: string) => screen.findByRole('button', { name })
const clickButton = async (user: UserEvent, name: string) => user.click(await findButton(name))

/** The code in the latest mail to an address. */
const readCode = async (email: string) => {
  const findMail = () => emails.filter(({ to }) => to === email).at(-1)
  await waitFor(() => expect(findMail()).toBeTruthy())
  return /^\d{6}$/m.exec(findMail()!.text)![0]
}

/** Registers from the first page until the page for the code. */
const register = async (email: string) => {
  const rendered = await render('/register', { features: hostedFeatures() })
  const { user } = rendered
  await user.click(await screen.findByRole('checkbox'))
  await clickButton(user, 'Sign Up With Email')
  await findTitle('Register with email')
  await user.type(screen.getByLabelText('Email'), email)
  await user.type(screen.getByLabelText('Password'), newPassword)
  await clickButton(user, 'Continue')
  await findTitle('Verify your email')
  return rendered
}

describe('without the hosted edition', () => {
  it.each([
    '/register',
    '/register/email',
    '/register/email/verify-your-email',
    '/register/choose-a-subdomain',
    '/oauth-callback/github?code=1&state=2',
  ])('%s does not exist', async (path) => {
    await render(path)
    await findTitle("That page doesn't exist.")
  })

  it('the page of the SIP realm does not exist', async () => {
    await render(`/internal/accounts/${testData().accounts.acme}/sip-realm/edit`, { as: 'acme' })
    await screen.findByText("That page doesn't exist.")
  })

  it('the sign-in page offers neither registration nor identity providers', async () => {
    await render('/', { features: { ...oauthFeatures(), hosted: false } })
    await findTitle('Log in')
    expect(screen.queryByRole('link', { name: 'Register' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Sign In With Google' })).toBeNull()
  })
})

describe('the sign-in page', () => {
  it('links to the registration', async () => {
    const { user, currentPath } = await render('/', { features: hostedFeatures() })
    await user.click(await screen.findByRole('link', { name: 'Register' }))
    await findTitle('Register')
    expect(currentPath()).toBe('/register')
  })

  it('shows a button for each identity provider with a client ID', async () => {
    await render('/', { features: { ...hostedFeatures(), githubClientId: 'github-client' } })
    await findButton('Sign In With Github')
    expect(screen.queryByRole('button', { name: 'Sign In With Google' })).toBeNull()
  })
})

describe('the first page of a registration', () => {
  it('describes the trial as configured', async () => {
    await render('/register', { features: { ...hostedFeatures(), trial: { days: 10, callSessions: 1, devices: 5 } } })
    await screen.findByText(
      'New accounts start with a 10-day trial: 1 simultaneous call and 5 registered devices. No card needed.',
    )
  })

  it('requires the terms before it continues, and says so', async () => {
    const { user, currentPath } = await render('/register', { features: oauthFeatures() })
    const button = await findButton('Sign Up With Email')
    for (const name of ['Sign Up With Email', 'Sign Up With Google', 'Sign Up With Github']) {
      const element = screen.getByRole('button', { name })
      expect(element.getAttribute('aria-disabled')).toBe('true')
      const reason = document.getElementById(element.getAttribute('aria-describedby')!)
      expect(reason?.textContent).toBe('Accept the terms to choose how you sign up.')
    }
    await user.click(button)
    expect(await screen.findByText('Accept the Terms of Service and Privacy Policy to continue.')).toBeTruthy()
    const checkbox = screen.getByRole('checkbox', { name: 'I accept the Terms of Service and Privacy Policy' })
    expect(document.activeElement).toBe(checkbox)
    expect(currentPath()).toBe('/register')
    await user.click(checkbox)
    expect(screen.queryByText('Accept the Terms of Service and Privacy Policy to continue.')).toBeNull()
    expect(button.getAttribute('aria-disabled')).not.toBe('true')
    await user.click(button)
    await findTitle('Register with email')
  })

  it('links to the terms and the privacy policy', async () => {
    await render('/register', { features: hostedFeatures() })
    expect((await screen.findByRole('link', { name: 'Terms of Service' })).getAttribute('href')).toBe(
      'https://voice.example.com/terms',
    )
    expect(screen.getByRole('link', { name: 'Privacy Policy' }).getAttribute('href')).toBe(
      'https://voice.example.com/privacy',
    )
  })

  it('cannot be skipped', async () => {
    const { currentPath } = await render('/register/email', { features: hostedFeatures() })
    await findTitle('Register')
    expect(currentPath()).toBe('/register')
  })

  it('asks for an invite code before it opens an identity provider', async () => {
    const { user } = await render('/register', { features: { ...oauthFeatures(), requiresInviteCode: true } })
    await user.click(await screen.findByRole('checkbox'))
    await clickButton(user, 'Sign Up With Github')
    expect(await screen.findByText('Enter your invite code.')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Invite code'))
    expect(localStorage.getItem('oauth-state')).toBeNull()
  })
})

describe('registering with an e-mail address', () => {
  it('checks the fields when they are left, and on submit', async () => {
    sessionStorage.setItem('accepted-terms', '1')
    const { user } = await render('/register/email', { features: hostedFeatures() })
    await findTitle('Register with email')
    expect(screen.getByText('Contain at least one special character')).toBeTruthy()
    await user.type(screen.getByLabelText('Email'), 'jo')
    await user.type(screen.getByLabelText('Password'), 'horse')
    expect(screen.getByText('Enter a valid email address.')).toBeTruthy()
    await clickButton(user, 'Continue')
    // the error replaces the rule, which would say the same
    expect(screen.getAllByText(/^Password must:/)).toHaveLength(1)
    expect(screen.getAllByText(/^(Be|Contain) at least/).map(getText)).toEqual([
      'Be at least 8 characters long',
      'Contain at least one number',
      'Contain at least one special character',
    ])
    expect(screen.getByLabelText('Password').getAttribute('aria-describedby')).toBe(
      screen.getByText('Contain at least one number').closest('[id]')!.id,
    )
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
    await user.type(screen.getByLabelText('Email'), '@example.com')
    expect(screen.queryByText('Enter a valid email address.')).toBeNull()
  })

  it('does not tell whether the address has an account', async () => {
    await register('bolt@example.com')
    await waitFor(() => expect(emails.some(({ to }) => to === 'bolt@example.com')).toBe(true))
    expect(screen.getByText('bolt@example.com')).toBeTruthy()
  })

  it('requires an unused invite code', async () => {
    edition.requiresInviteCode = true
    try {
      await backend()
        .database.db.insertInto('beta_invite_codes')
        .values([
          { invite_code: 'ABC123', in_use: 0 },
          { invite_code: 'ABC999', in_use: 1 },
        ])
        .execute()
      sessionStorage.setItem('accepted-terms', '1')
      const features = { ...hostedFeatures(), requiresInviteCode: true }
      const { user } = await render('/register/email', { features })
      await user.type(await screen.findByLabelText('Email'), 'invited@example.com')
      await user.type(screen.getByLabelText('Password'), newPassword)
      await clickButton(user, 'Continue')
      expect(await screen.findByText('Enter your invite code.')).toBeTruthy()
      const codeField = screen.getByLabelText('Invite code')
      await user.type(codeField, 'abc999')
      await clickButton(user, 'Continue')
      expect(await screen.findByText('This invite code is not valid or was already used.')).toBeTruthy()
      expect(document.activeElement).toBe(codeField)
      await user.clear(codeField)
      await user.type(codeField, 'abc123')
      await clickButton(user, 'Continue')
      await findTitle('Verify your email')
    } finally {
      edition.requiresInviteCode = false
    }
  })
})

describe('verifying the e-mail address', () => {
  it('submits at the sixth digit, and removes blanks and hyphens of a pasted code', async () => {
    const { user, currentPath } = await register('paste@example.com')
    const code = await readCode('paste@example.com')
    const field = screen.getByLabelText('Verification code')
    expect(document.activeElement).toBe(field)
    await user.paste(` ${code.slice(0, 3)}-${code.slice(3, 4)} ${code.slice(4)}`)
    await findTitle('Choose a subdomain')
    expect(currentPath()).toBe('/register/choose-a-subdomain')
    expect(localStorage.getItem('token')).toBeTruthy()
    expect(sessionStorage.getItem('registration')).toBeNull()
    expect(localStorage.getItem('root-domain')).toBe(rootDomain)
  })

  it('shows that a code is wrong, and accepts the right one then', async () => {
    const { user } = await register('wrong@example.com')
    const code = await readCode('wrong@example.com')
    const field = screen.getByLabelText<HTMLInputElement>('Verification code')
    await user.type(field, '12')
    await clickButton(user, 'Verify')
    expect(screen.getByText('Enter all 6 digits of the code.')).toBeTruthy()
    await user.type(field, code === '123456' ? '3457' : '3456')
    expect(await screen.findByText('invalid user or activation code')).toBeTruthy()
    expect(document.activeElement).toBe(field)
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, 6])
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(localStorage.getItem('token')).toBeNull()
    await user.clear(field)
    await user.type(field, code)
    await findTitle('Choose a subdomain')
  })

  it('continues after a reload, and after the next sign-in', async () => {
    const email = 'later@example.com'
    await register(email)
    await render('/register/email/verify-your-email', { features: hostedFeatures() })
    expect(await screen.findByText(email)).toBeTruthy()
    sessionStorage.clear()
    const { user, currentPath } = await render('/', { features: hostedFeatures() })
    await user.type(await screen.findByLabelText('Username'), email)
    await user.type(screen.getByLabelText('Password'), newPassword)
    await clickButton(user, 'Log in')
    await waitFor(() => expect(currentPath()).toBe('/register/email/verify-your-email'))
    expect(screen.queryByText('Login credentials are incorrect')).toBeNull()
    await user.type(await screen.findByLabelText('Verification code'), await readCode(email))
    await waitFor(() => expect(currentPath()).toBe('/register/choose-a-subdomain'))
  })

  it('sends another code after a countdown', async () => {
    const email = 'again@example.com'
    const { user } = await register(email)
    const firstCode = await readCode(email)
    expect(screen.getByText(/^0:(30|29|28)$/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Resend code' })).toBeNull()
    await backend().database.db.updateTable('trunkline_registrations').set({ sent_at: 0 }).execute()
    const realNow = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => realNow() + 31_000)
    await clickButton(user, 'Resend code')
    expect(await screen.findByText(`A new code was sent to ${email}`)).toBeTruthy()
    expect(screen.getByText(/^0:(30|29|28)$/)).toBeTruthy()
    await waitFor(async () => expect(await readCode(email)).not.toBe(firstCode))
  })

  it('leads to another address, and keeps the first one to correct it', async () => {
    const { user } = await register('tpyo@example.com')
    await user.click(screen.getByRole('link', { name: 'Use another address' }))
    await findTitle('Register with email')
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('tpyo@example.com')
  })

  it('leads to the sign-in page if the registration has expired', async () => {
    sessionStorage.setItem(
      'registration',
      JSON.stringify({ jwt: 'expired', user_sid: testData().users.acme, email: 'old@example.com' }),
    )
    const { user, currentPath } = await render('/register/email/verify-your-email', { features: hostedFeatures() })
    await user.type(await screen.findByLabelText('Verification code'), '123456')
    expect(await screen.findByText('Your session has expired. Please log in and try again.')).toBeTruthy()
    expect(currentPath()).toBe('/')
    expect(sessionStorage.getItem('registration')).toBeNull()
  })
})
