import { startMailbox } from '../scripts/launch/mailbox'
import { findAxeViolations } from './support/axe'
import { addUser, signIn } from '../scripts/launch/users'
import { heading, expectToast } from './support/screen'
import { startServer } from '../scripts/launch/server'
import { expect, test } from './support/test'

const sentMessage =
  'A password reset email has been sent to your email. Please check your inbox (and, possibly, spam folder) and follow the instructions to reset your password.'
const mismatchMessage =
  'The confirmation password does not match the new password. Please ensure both passwords are identical.'

test('a forgotten password can be reset by e-mail', async ({ page }) => {
  const mailbox = await startMailbox()
  const server = await startServer({ SMTP_URL: mailbox.url, MAIL_FROM: 'Trunkline <no-reply@example.com>' })
  try {
    const user = await addUser(server, 'oona')
    await page.goto(server.url)
    await page.getByRole('link', { name: 'Forgot Password' }).click()
    await expect(heading(page, 'Forgot password')).toBeVisible()
    expect(await findAxeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Send email' }).click()
    await expectToast(page, 'invalid or missing email')
    await page.getByLabel('Email').fill('oona@example.com')
    await page.keyboard.press('Enter')
    await expect(page.getByText(sentMessage)).toBeVisible()
    expect(await findAxeViolations(page)).toEqual([])

    const { mail } = await mailbox.waitForMail('oona@example.com')
    // Shows the mail like a mail program, without the console's content security policy.
    const link = /href="([^"]+)"/.exec(mail.html ?? '')?.[1] ?? ''
    expect(link).toMatch(new RegExp(`^${server.url}/reset-password/[1-9A-Za-z]{22}$`))
    await page.goto('about:blank')
    await page.setContent(mail.html ?? '')
    expect(
      (await findAxeViolations(page)).filter((violation) => !/^(region|landmark|page-has-heading)/.test(violation)),
    ).toEqual([])

    await page.goto(link)
    await expect(heading(page, 'Reset password')).toBeVisible()
    await page.getByLabel('New password').fill('Oona-knows-now-1')
    await page.getByLabel('Confirm password').fill('Oona-knows-now-2')
    await page.getByRole('button', { name: 'Set new password' }).click()
    await expect(page.getByText(mismatchMessage)).toBeVisible()
    expect(await findAxeViolations(page)).toEqual([])
    await page.getByLabel('Confirm password').fill('Oona-knows-now-1')
    await page.getByRole('button', { name: 'Set new password' }).click()
    await expect(page).toHaveURL(`${server.url}/`)
    await expectToast(page, 'New password was successfully set.')
    await signIn(page, user.name, 'Oona-knows-now-1')
    await expect(heading(page, 'Accounts')).toBeVisible()

    await page.goto(link)
    await expect(page.getByText('This link has expired or was already used.')).toBeVisible()
    expect(await findAxeViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'Request a new link' }).click()
    await expect(heading(page, 'Forgot password')).toBeVisible()
    expect(server.output()).not.toContain(link.slice(-22))
  } finally {
    await server.dispose()
    await mailbox.close()
  }
})
