//! Tag numbers and message types that the crate and its users name.

macro_rules! tags {
    ($($(#[$doc:meta])* $name:ident = $number:literal;)*) => {
        $(#[doc = concat!("Tag ", stringify!($number), ".")] pub const $name: u32 = $number;)*
    };
}

tags! {
    ACCOUNT = 1;
    AVG_PX = 6;
    BEGIN_SEQ_NO = 7;
    BEGIN_STRING = 8;
    BODY_LENGTH = 9;
    CHECK_SUM = 10;
    CL_ORD_ID = 11;
    CUM_QTY = 14;
    END_SEQ_NO = 16;
    EXEC_ID = 17;
    HANDL_INST = 21;
    LAST_PX = 31;
    LAST_QTY = 32;
    MSG_SEQ_NUM = 34;
    MSG_TYPE = 35;
    NEW_SEQ_NO = 36;
    ORDER_ID = 37;
    ORDER_QTY = 38;
    ORD_STATUS = 39;
    ORD_TYPE = 40;
    ORIG_CL_ORD_ID = 41;
    POSS_DUP_FLAG = 43;
    PRICE = 44;
    REF_SEQ_NUM = 45;
    SENDER_COMP_ID = 49;
    SENDING_TIME = 52;
    SIDE = 54;
    SYMBOL = 55;
    TARGET_COMP_ID = 56;
    TEXT = 58;
    TIME_IN_FORCE = 59;
    TRANSACT_TIME = 60;
    RAW_DATA_LENGTH = 95;
    RAW_DATA = 96;
    POSS_RESEND = 97;
    ENCRYPT_METHOD = 98;
    CXL_REJ_REASON = 102;
    ORD_REJ_REASON = 103;
    HEART_BT_INT = 108;
    TEST_REQ_ID = 112;
    ORIG_SENDING_TIME = 122;
    GAP_FILL_FLAG = 123;
    RESET_SEQ_NUM_FLAG = 141;
    NO_RELATED_SYM = 146;
    EXEC_TYPE = 150;
    LEAVES_QTY = 151;
    MD_REQ_ID = 262;
    SUBSCRIPTION_REQUEST_TYPE = 263;
    MARKET_DEPTH = 264;
    MD_UPDATE_TYPE = 265;
    NO_MD_ENTRY_TYPES = 267;
    NO_MD_ENTRIES = 268;
    MD_ENTRY_TYPE = 269;
    MD_ENTRY_PX = 270;
    MD_ENTRY_SIZE = 271;
    MD_REQ_REJ_REASON = 281;
    MD_ENTRY_POSITION_NO = 290;
    ENCODED_TEXT_LEN = 354;
    ENCODED_TEXT = 355;
    REF_TAG_ID = 371;
    REF_MSG_TYPE = 372;
    SESSION_REJECT_REASON = 373;
    BUSINESS_REJECT_REF_ID = 379;
    BUSINESS_REJECT_REASON = 380;
    CXL_REJ_RESPONSE_TO = 434;
    USERNAME = 553;
    PASSWORD = 554;
}

/// Values of MsgType(35).
pub mod msg_type {
    /// Heartbeat.
    pub const HEARTBEAT: &str = "0";
    /// Test Request.
    pub const TEST_REQUEST: &str = "1";
    /// Resend Request.
    pub const RESEND_REQUEST: &str = "2";
    /// Reject (session level).
    pub const REJECT: &str = "3";
    /// Sequence Reset.
    pub const SEQUENCE_RESET: &str = "4";
    /// Logout.
    pub const LOGOUT: &str = "5";
    /// Execution Report.
    pub const EXECUTION_REPORT: &str = "8";
    /// Order Cancel Reject.
    pub const ORDER_CANCEL_REJECT: &str = "9";
    /// Logon.
    pub const LOGON: &str = "A";
    /// New Order - Single.
    pub const NEW_ORDER_SINGLE: &str = "D";
    /// Order Cancel Request.
    pub const ORDER_CANCEL_REQUEST: &str = "F";
    /// Order Cancel/Replace Request.
    pub const ORDER_CANCEL_REPLACE_REQUEST: &str = "G";
    /// Market Data Request.
    pub const MARKET_DATA_REQUEST: &str = "V";
    /// Market Data - Snapshot / Full Refresh.
    pub const MARKET_DATA_SNAPSHOT: &str = "W";
    /// Market Data Request Reject.
    pub const MARKET_DATA_REQUEST_REJECT: &str = "Y";
    /// Security Definition.
    pub const SECURITY_DEFINITION: &str = "d";
    /// Business Message Reject.
    pub const BUSINESS_MESSAGE_REJECT: &str = "j";

    /// Whether `msg_type` belongs to the session layer (it is gap-filled, never resent).
    pub fn is_admin(msg_type: &[u8]) -> bool {
        matches!(msg_type, b"0" | b"1" | b"2" | b"3" | b"4" | b"5" | b"A")
    }
}
