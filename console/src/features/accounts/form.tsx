import { Page } from '../../ui/page'

/** Stands in until the screen is written. */
export const AccountForm = (_props: { sid?: string }) => <Page title="Accounts" />
