import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect } from 'vitest'
import { findInput } from './form-inputs'

/** Waits until a text is shown. */
export const expectText = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))

/** Selects a vendor by its tile. */
export const selectVendor = async (user: UserEvent, vendor: string) =>
  user.click(await screen.findByLabelText(vendor, { selector: 'input[type=radio]' }))

/** Pastes text at the end of a field. */
export const pasteText = async (user: UserEvent, label: string, text: string) => {
  await user.click(await findInput(label))
  await user.paste(text)
}

export const clickSave = (user: UserEvent) => user.click(screen.getByText('Save'))
