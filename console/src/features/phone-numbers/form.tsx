import { Page } from '../../ui/page'

/** Stands in until the screen is written. */
export const PhoneNumberForm = (_props: { sid?: string }) => <Page title="Phone numbers" />
