/** Roles such as `ADMIN` or `super admin`. A caller needs one of them. Absent if every signed-in user is permitted. */
export type RequiredRoles = readonly string[];

/** Field of a record, a value or an input. */
export interface FieldType {
  readonly name: string;
  /** Name of the scalar, enum, value, input, record or union. */
  readonly type: string;
  /** Description in the schema. Absent from inputs if the result has a field with the same description. */
  readonly help?: string;
  readonly isList?: true;
  /** Whether the field is a connection, a list that is read page by page. */
  readonly isConnection?: true;
  /** Whether the value is never null. For inputs: whether it must be set. */
  readonly isRequired?: true;
  /** Whether the value is the URL of a picture. */
  readonly isPicture?: true;
  /** For IDs of records: the type of the record. */
  readonly record?: string;
  /** If the field is the ID of a related record: the name of the field that contains this record. */
  readonly relation?: string;
  /** For input lists that keep stored items: the field that identifies an item. */
  readonly mergedBy?: string;
  readonly roles?: RequiredRoles;
}

/** Value of an enum. */
export interface EnumValue {
  readonly name: string;
  readonly help?: string;
}

/** Field by which a list can be filtered. */
export interface FilterField {
  readonly name: string;
  /** Type of the operand: a scalar, an enum, or the record of a related list. */
  readonly type: string;
  /**
   * Form of the condition: a value such as true, operators on the items of a list, or operators on a list of records. Default: operators on
   * a value.
   */
  readonly form?: 'value' | 'list' | 'records';
  readonly record?: string;
  readonly help?: string;
}

/** Mutation that creates, updates or deletes a record. */
export interface MutationType {
  readonly name: string;
  readonly help: string;
  /** Arguments, except `id` and `ifVersion`. */
  readonly args: readonly FieldType[];
  /** Whether the mutation takes the ID as an argument. Otherwise, the ID is part of the input. */
  readonly takesId?: true;
  /** Whether the mutation takes `ifVersion`, to reject a change to an outdated version. */
  readonly takesVersion?: true;
  readonly roles?: RequiredRoles;
}

/** Record type that a list field of `Query` returns. */
export interface RecordType {
  readonly help: string;
  /** Field of `Query` that returns a record by ID. Absent if only the list returns the record. */
  readonly one?: string;
  /** Field of `Query` that returns the list. */
  readonly many: string;
  /** Arguments that the list requires, such as the ID of a tournament. */
  readonly requires?: readonly FieldType[];
  readonly roles?: RequiredRoles;
  readonly fields: readonly FieldType[];
  readonly filters: readonly FilterField[];
  readonly orders: readonly string[];
  /** Paths of the fields that name a record, such as `title`. */
  readonly label: readonly string[];
  /** Paths of the fields that a list shows in addition to the label. */
  readonly columns: readonly string[];
  /** Path of the currency code for amounts, such as `currency.abbreviation`. */
  readonly currency?: string;
  /** Field that identifies the record in text fields of other records, such as the code of a currency. */
  readonly code?: string;
  /** Filter that finds records by text. */
  readonly search?: string;
  readonly create?: MutationType;
  readonly update?: MutationType;
  readonly remove?: MutationType;
}

/** Facts that the console needs to show and edit the records of the graph. The build extracts the facts from the schema. */
export interface Catalog {
  readonly records: Readonly<Record<string, RecordType>>;
  /** Fields of values and inputs, such as `Place` and `PlaceInput`. */
  readonly objects: Readonly<Record<string, readonly FieldType[]>>;
  readonly enums: Readonly<Record<string, readonly EnumValue[]>>;
  /** Record types in unions and interfaces, keyed by the name of the union or interface. */
  readonly unions: Readonly<Record<string, readonly string[]>>;
}
