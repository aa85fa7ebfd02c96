import { Page } from '../../ui/page'

/** Stands in until the screen is written. */
export const CarrierForm = (_props: { sid?: string }) => <Page title="Carriers" />
